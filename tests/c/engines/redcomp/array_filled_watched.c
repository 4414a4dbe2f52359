// expect: UNSAFE
// flags: -e redcomp -t 60
// Somebody looks while memory is filled: it is not the same before and after.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int *a, n, changed;

static void *watcher(void *unused) {
    int before = a[0];
    int after = a[0];
    changed = before != after;
    return unused;
}

int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4) abort();
    a = malloc(4 * sizeof *a);
    pthread_create(&t, 0, watcher, 0);
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    pthread_join(t, 0);
    assert(!changed);
}
