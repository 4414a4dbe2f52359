// expect: UNSAFE
// What is printed, through a function of the program's own, does not matter.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static int n;

static void report(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

static void *work(void *argument) {
    n++;
    report("n is %d\n", n);
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
