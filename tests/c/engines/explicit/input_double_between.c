// expect: UNSAFE
// flags: -e explicit
#include <assert.h>

double __VERIFIER_nondet_double(void);

int main(void) {
    double d = __VERIFIER_nondet_double();
    assert(!(d > -2.0 && d < -1.0));
    return 0;
}
