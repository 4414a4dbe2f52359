// expect: UNSAFE
// flags: -e explicit
/* The remainders of a number with and without its sign are not the same: few values of one do not stand for all of the other. x is -36. */
#include <assert.h>
extern short __VERIFIER_nondet_short(void);

int main(void) {
    short x = __VERIFIER_nondet_short();
    int a = x, b = (unsigned short)x;
    assert(!(a % 100 < -30 && b % 100 == 0));
    return 0;
}
