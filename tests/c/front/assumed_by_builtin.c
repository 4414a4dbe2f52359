// expect: SAFE
/* Where an assumption of the compiler's is false, C does not say what happens. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __builtin_assume(x > 2);
    assert(x > 1);
    return 0;
}
