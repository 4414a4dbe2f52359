// expect: SAFE
// flags: --engine redcomp
/* x is at most the number of threads, since each adds to it once: there is a counter for that. */
#include <assert.h>
#include <pthread.h>

static int x;

static void *reader(void *argument) {
    assert(x <= 40);
    return argument;
}

static void *adder(void *argument) {
    int t = x;
    x = t + 1;
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    for (int i = 0; i < 40; i++) pthread_create(&t, 0, adder, 0);
    return 0;
}
