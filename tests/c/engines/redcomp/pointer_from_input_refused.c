// expect: UNKNOWN so Heddle does not know its target
// flags: --engine redcomp
// The same without the comparison: who knows what it hits.
#include <assert.h>

unsigned long __VERIFIER_nondet_ulong(void);

int x;

int main(void) {
    int *p = (int *)__VERIFIER_nondet_ulong();
    *p = 5;
    assert(x != 5);
    return 0;
}
