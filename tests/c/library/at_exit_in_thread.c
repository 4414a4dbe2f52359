// expect: UNSAFE
// Other threads go on while the functions registered for the end run.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int n;

static void *work(void *argument) {
    n = 1;
    return argument;
}
static void end(void) {
    int before = n;
    assert(n == before);
}

int main(void) {
    pthread_t a;
    atexit(end);
    pthread_create(&a, 0, work, 0);
    return 0;
}
