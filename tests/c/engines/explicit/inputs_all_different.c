// expect: UNSAFE assertion a == b || a == c || b == c
// flags: -e explicit
// It takes three values that differ, none of them 7 or 0.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned saved[3];

int main(void) {
    unsigned *p = &saved[__VERIFIER_nondet_uint() % 3];
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), c = __VERIFIER_nondet_uint();
    *p = a;
    if (a == 7 || b == 7 || c == 7 || saved[2] != a || a == 0 || b == 0 || c == 0) return 0;
    assert(a == b || a == c || b == c);
    return 0;
}
