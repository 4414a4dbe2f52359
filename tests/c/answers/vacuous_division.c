// expect: SAFE undefined behaviour: division by zero
/* There is an invariant, since nothing happens. */
#include <assert.h>

static int zero;

int main(void) {
    int k = 5 / zero;
    assert(k == 3);
    return 0;
}
