// expect: SAFE
// flags: -p valid-memsafety -e redcomp --second-solver
// An array of any size, filled by main and read by threads whose index is in it.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *a, n, at, sum;
static void *reader(void *unused) {
    while (__VERIFIER_nondet_int()) {
        int i = __VERIFIER_nondet_int();
        if (i >= 0 && i < n) sum = a[i];
    }
    return unused;
}
int main(void) {
    pthread_t s, t;
    n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100000000) return 0;
    a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    pthread_create(&s, 0, reader, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
}
