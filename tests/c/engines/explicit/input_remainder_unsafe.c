// expect: UNSAFE
// flags: --engine explicit
// An input that is only looked at as a remainder: … the violating variant. A few values stand for all.
#include <assert.h>
int __VERIFIER_nondet_int(void);
static int coin(void) { return (int)((unsigned)__VERIFIER_nondet_int() >> 1) % 2; }
int main(void) {
    int a = coin(), b = __VERIFIER_nondet_int() % 3, c = __VERIFIER_nondet_int() & 3;
    assert(a == 0 || a == 1);
    if (b > 0 || c == 3) assert(b <= 2 && c <= 3);
    assert(b >= -1);
    return 0;
}
