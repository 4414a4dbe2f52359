// expect: SAFE
// flags: -e weave
// One thread takes two steps at a time: it stops where the other does, as its counter is even.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
unsigned n, a, b, weight;

static void *single(void *arg) {
    for (unsigned i = 0; i < 2 * n; i++) a += weight;
    return arg;
}

static void *pairs(void *arg) {
    for (unsigned i = 0; i < 2 * n; i += 2) b += 2 * weight;
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
