// expect: UNKNOWN an allocation may be too large (p) [H0749]
// flags: --engine redcomp
// Objects of one place must not grow into each other, however large they are.
#include <assert.h>
#include <stdlib.h>

unsigned long __VERIFIER_nondet_ulong(void);
_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    char *last = NULL;
    while (__VERIFIER_nondet_bool()) {
        char *p = malloc(n);
        if (n > 0) p[n - 1] = 1;
        if (last) assert(last[n - 1] == 1);
        last = n > 0 ? p : NULL;
    }
    return 0;
}
