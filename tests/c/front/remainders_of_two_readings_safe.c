// expect: SAFE
/* Both at once are told apart by the sign alone: the one is below 0, the other 36 more. */
#include <assert.h>
extern short __VERIFIER_nondet_short(void);

int main(void) {
    short x = __VERIFIER_nondet_short();
    int a = x, b = (unsigned short)x;
    assert(!(a % 100 < -36 && b % 100 == 0));
    return 0;
}
