// expect: UNSAFE
// A text that is only shown does not matter, whatever it is made of.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>

static int n;

static void *work(void *argument) {
    char name[16], line[100];
    snprintf(name, sizeof name, "work at %p", argument);
    prctl(PR_SET_NAME, name);
    sprintf(line, "%f of %d", 0.5, n);
    n++;
    puts(line);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
    return 0;
}
