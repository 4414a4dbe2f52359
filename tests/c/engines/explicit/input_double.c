// expect: SAFE
// flags: -e explicit
// A number of floating point that is only compared with constants: one of each interval is tried.
#include <assert.h>

double __VERIFIER_nondet_double(void);
float __VERIFIER_nondet_float(void);

int main(void) {
    double d = __VERIFIER_nondet_double();
    const double limit = 1.0;
    float f = __VERIFIER_nondet_float();
    assert(!(d < limit) || !(d > 2.0));
    assert(!(d <= -1.0 && d >= 0.0));
    assert(!(f > 0.0f) || f >= -0.0f);
    return 0;
}
