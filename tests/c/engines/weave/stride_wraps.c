// expect: SAFE
// flags: -e weave
// Two steps at a time, and a last one; where there are none to do, the bound wraps around and the second thread goes on for ever.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
unsigned n, a, b, weight;

static void *single(void *arg) {
    for (unsigned i = 0; i < n; i++) a += weight;
    return arg;
}

static void *pairs(void *arg) {
    unsigned i = 0;
    for (; i < n - 1; i += 2) b += 2 * weight;
    if (i < n) b += weight;
    return arg;
}

int main(void) {
    pthread_t s, p;
    n = __VERIFIER_nondet_uint();
    weight = __VERIFIER_nondet_uint();
    pthread_create(&s, NULL, single, NULL);
    pthread_create(&p, NULL, pairs, NULL);
    pthread_join(s, NULL);
    pthread_join(p, NULL);
    assert(a == b);
}
