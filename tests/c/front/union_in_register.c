// expect: UNSAFE
/* A union that is passed in a register is read in the pieces that its members are made of. */
#include <assert.h>
#include <pthread.h>

union pair {
    struct {
        int a, b;
    } s;
    long l;
} shared;

static int ordered(union pair p) { return p.s.a >= p.s.b; }

static void *writer(void *unused) {
    shared.s.a = 1;
    shared.s.b = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    assert(ordered(shared));
    return 0;
}
