// expect: SAFE
// flags: -e redcomp -t 60
// Memory of any size filled with any values: what two threads find in it is the same.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int n, *a, first, second;

static void *one(void *unused) {
    if (n > 1) first = a[1];
    return unused;
}

static void *two(void *unused) {
    if (n > 1) second = a[1];
    return unused;
}

int main(void) {
    pthread_t t, u;
    n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000) abort();
    a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(first == second);
}
