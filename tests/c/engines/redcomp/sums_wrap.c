// expect: SAFE
// flags: -e redcomp -t 60
// Unsigned sums may wrap around; the same sum in another order is the same all the same.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned n, step, up, down;

static void *first(void *unused) {
    for (unsigned i = 0; i < n; i++) up += step;
    return unused;
}

static void *second(void *unused) {
    for (unsigned i = 0; i < n; i++) down -= step;
    return unused;
}

int main(void) {
    pthread_t t, u;
    n = __VERIFIER_nondet_uint();
    step = __VERIFIER_nondet_uint();
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    unsigned sum = 7;
    assert(sum + up == sum + up);
    if (n == 1) assert(up + down == sum - 7);
}
