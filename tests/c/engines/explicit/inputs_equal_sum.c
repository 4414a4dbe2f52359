// expect: UNKNOWN inputs can have too many values to try them all [H0805]
// flags: -e explicit
// More is asked than whether they are equal.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), c = a + 12345;
    if (a == b) return 0;
    assert(c != b + 12345);
    return 0;
}
