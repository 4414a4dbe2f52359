// expect: SAFE
// flags: -e weave
// Sums that wrap around are equal when their terms are, in whatever order they are added.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
unsigned a, b, first, second;

static void *left(void *arg) {
    a += first;
    a += second;
    return arg;
}

static void *right(void *arg) {
    b += second;
    b += first;
    return arg;
}

int main(void) {
    pthread_t t, u;
    first = __VERIFIER_nondet_uint();
    second = __VERIFIER_nondet_uint();
    a = b = __VERIFIER_nondet_uint();
    pthread_create(&t, NULL, left, NULL);
    pthread_create(&u, NULL, right, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(a == b);
    return 0;
}
