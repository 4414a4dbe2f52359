// expect: SAFE
#include <assert.h>
#include <math.h>

int main(void) {
    assert(sqrt(4.0) == 2.0 && sqrtf(2.0f) * sqrtf(2.0f) != 2.0f && floor(-1.5) == -2.0);
    assert(ceil(1.25) == 2.0 && trunc(-1.5) == -1.0 && fmod(7.5, 2.0) == 1.5 && fmax(1.0, 2.0) == 2.0);
    return 0;
}
