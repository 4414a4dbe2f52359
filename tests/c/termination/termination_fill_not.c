// expect: UNKNOWN which may be endless
// flags: --property termination --engine redcomp
// i does not always become larger.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n > 1000) return 0;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n;) {
        a[i] = __VERIFIER_nondet_int();
        if (a[i]) i++;
    }
    return a[0];
}
