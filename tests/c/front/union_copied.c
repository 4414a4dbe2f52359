// expect: UNSAFE
/* A union is copied in the pieces that its members are made of. */
#include <assert.h>
#include <pthread.h>

union pair {
    struct {
        int a, b;
    } s;
    long l;
} shared;

static void *writer(void *unused) {
    shared.s.a = 1;
    shared.s.b = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    union pair mine = shared;
    assert(mine.s.a >= mine.s.b);
    return 0;
}
