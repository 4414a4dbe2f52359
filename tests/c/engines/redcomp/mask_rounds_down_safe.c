// expect: SAFE
// flags: -e redcomp --arith int
/* A number from 5 to 260, rounded down to a multiple of 8, is 0, or from 8 to 256. */
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char c = __VERIFIER_nondet_uchar();
    assert(((c + 5u) & ~7u) - 5u < 252u || c < 3);
    return 0;
}
