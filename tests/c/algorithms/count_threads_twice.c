// expect: UNSAFE
/* Each thread may add to x twice: it can be more than their number. */
#include <assert.h>
#include <pthread.h>

static int x;

static void *reader(void *argument) {
    assert(x <= 3);
    return argument;
}

static void *adder(void *argument) {
    int t = x;
    x = t + 1;
    x++;
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    for (int i = 0; i < 3; i++) pthread_create(&t, 0, adder, 0);
    return 0;
}
