// expect: UNSAFE
/* A small struct that is passed by value is read field by field, though the compiler passes it in one register. */
#include <assert.h>
#include <pthread.h>

struct pair {
    short a, b;
} shared;

static int ordered(struct pair p) { return p.a >= p.b; }

static void *writer(void *unused) {
    shared.a = 1;
    shared.b = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int (*test)(struct pair) = ordered;
    assert(test(shared));
    return 0;
}
