// expect: UNSAFE
// flags: -e redcomp -t 60
// What main tested does not hold any more: another thread has changed it since.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned n, x;

static void *twice(void *unused) {
    x = n * 2;
    return unused;
}

static void *larger(void *unused) {
    n = 3000000000u;
    return unused;
}

int main(void) {
    pthread_t t, u;
    n = __VERIFIER_nondet_uint();
    if (n >= 1u << 31) abort();
    pthread_create(&u, 0, larger, 0);
    pthread_create(&t, 0, twice, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x >= 1 || n == 0 || n < 1u << 31);
    assert(x == 0 || x >= n);
}
