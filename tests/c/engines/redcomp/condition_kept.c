// expect: SAFE
// flags: -e redcomp -t 60
// What main tested before there were other threads still holds when they run.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned n, x;

static void *twice(void *unused) {
    x = n * 2;
    return unused;
}

int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_uint();
    if (n >= 1u << 31) abort();
    pthread_create(&t, 0, twice, 0);
    pthread_join(t, 0);
    assert(x >= n);
}
