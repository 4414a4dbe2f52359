// expect: UNKNOWN a constant of a kind that is not modelled
#include <assert.h>

int main(void) {
    _Float16 half = 0.5f16;
    int n = half > 0;
    assert(n);
    return 0;
}
