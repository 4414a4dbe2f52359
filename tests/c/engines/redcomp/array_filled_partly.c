// expect: UNSAFE !zeros
// flags: -e redcomp -t 60
// Zeroed memory of which only some is filled is not just any memory: the rest stays 0.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int *a, zeros;

static void *one(void *unused) {
    zeros = a[3] == 0 && a[0] == 5;
    return unused;
}

int main(void) {
    pthread_t t;
    a = calloc(4, sizeof *a);
    for (int i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_int();
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    assert(a[3] == 0);
    assert(!zeros);
}
