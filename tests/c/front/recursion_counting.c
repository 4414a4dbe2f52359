// expect: SAFE
// Recursion that counts down from a constant ends by itself, however deep it is.
#include <assert.h>

static int sum(int n) { return n == 0 ? 0 : 1 + sum(n - 1); }

int main(void) {
    assert(sum(1500) == 1500);
    return 0;
}
