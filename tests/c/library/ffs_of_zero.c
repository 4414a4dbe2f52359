// expect: UNSAFE
// __builtin_ffs counts zeros even where there is no bit, and drops the result.
#include <assert.h>
unsigned x;
int main(void) {
    int n = __builtin_ffs(x);
    assert(n != 0);
}
