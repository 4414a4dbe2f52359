// expect: UNSAFE assertion p[0] == 1 fails
// flags: --zero-memory
// What is given back and allocated again is zero again; inputs are not.
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    if (__VERIFIER_nondet_int() != 5) return 0;
    int *p = malloc(4);
    p[0] = 1;
    free(p);
    p = malloc(4);
    assert(p[0] == 1);
    return 0;
}
