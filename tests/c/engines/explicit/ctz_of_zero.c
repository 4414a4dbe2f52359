// expect: UNKNOWN zero bits of 0
// flags: -e explicit
// __builtin_ctz of 0 is undefined: whatever follows is not judged.
#include <assert.h>
unsigned x;
int main(void) {
    int n = __builtin_ctz(x);
    assert(n < 0);
}
