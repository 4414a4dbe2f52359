// expect: SAFE
// __builtin_ctz of 0 is undefined.
#include <assert.h>
unsigned x;
int main(void) {
    int n = __builtin_ctz(x);
    assert(n < 0);
}
