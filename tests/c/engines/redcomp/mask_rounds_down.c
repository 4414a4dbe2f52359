// expect: UNSAFE
// flags: -e redcomp --arith int
/* A number from 5 to 260, rounded down to a multiple of 8, may be 0, and what is taken off then wraps around. */
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char c = __VERIFIER_nondet_uchar();
    assert(((c + 5u) & ~7u) - 5u < 1000u);
    return 0;
}
