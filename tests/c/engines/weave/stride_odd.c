// expect: UNSAFE
// flags: -e weave
// One thread takes two steps at a time: it goes one too far where the number of steps is odd.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
unsigned n, a, b, weight;

static void *single(void *arg) {
    for (unsigned i = 0; i < n; i++) a += weight;
    return arg;
}

static void *pairs(void *arg) {
    for (unsigned i = 0; i < n; i += 2) b += 2 * weight;
    return arg;
}

int main(void) {
    pthread_t s, p;
    n = __VERIFIER_nondet_uint();
    weight = __VERIFIER_nondet_uint();
    if (n > 1000000) abort();
    pthread_create(&s, NULL, single, NULL);
    pthread_create(&p, NULL, pairs, NULL);
    pthread_join(s, NULL);
    pthread_join(p, NULL);
    assert(a == b);
}
