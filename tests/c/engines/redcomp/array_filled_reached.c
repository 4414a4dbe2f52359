// expect: UNSAFE
// flags: -e redcomp -t 60
// The filling of memory is one step to the prover; the trace has its rounds and inputs all the same.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int n, *a, sum;

static void *one(void *unused) {
    if (n > 2) sum = a[2] - a[1];
    return unused;
}

int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000) abort();
    a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    assert(sum != 77);
}
