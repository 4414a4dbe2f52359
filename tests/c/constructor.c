// expect: UNKNOWN a function that runs before main
/* The variable is set before main starts, by a function that is not followed: no verdict. */
#include <assert.h>

static int x;

__attribute__((constructor)) static void set(void) { x = 1; }

int main(void) {
    assert(x == 0);
    return 0;
}
