// expect: UNKNOWN a literal
// flags: --engine impact
// A compiler may let one string be the end of another.
#include <assert.h>

int main(void) {
    const char *a = "abc", *b = "bc";
    assert(a + 1 != b);
    return 0;
}
