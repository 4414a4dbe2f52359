// expect: SAFE
/* clang does not know these types of gcc. Headers that gcc has preprocessed declare functions with them. */
#include <assert.h>
extern _Float64x square(_Float128 x);
static _Float32 half(_Float32 x) { return x / 2; }
static _Float64 third(_Float32x x) { return x / 3; }
int main(void) {
    _Float32 x = 5;
    assert(half(x) == 2.5f);
    assert(third(6) == 2);
    assert(sizeof(_Float64x) == sizeof(long double));
}
