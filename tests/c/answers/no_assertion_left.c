// expect: SAFE no assertion is left in the program
// flags: -q
/* It holds by itself. */
#include <assert.h>

static const int size = 4;

int main(void) {
    int n = size;
    assert(n == 4);
    return 0;
}
