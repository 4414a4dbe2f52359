// expect: SAFE Every execution ends
// flags: --property termination --engine redcomp
// A loop that fills fresh memory is left out of proofs: it ends.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n > 1000) return 0;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    return a[0];
}
