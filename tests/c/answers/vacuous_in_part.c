// expect: SAFE executions that reach the division by zero
/* Some executions end before the assertion, others do not. */
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int d = __VERIFIER_nondet_int() ? 1 : 0;
    int k = 5 / d;
    assert(k == 5);
    return 0;
}
