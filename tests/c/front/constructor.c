// expect: UNSAFE x == 0 fails
/* The variable is set before main starts. */
#include <assert.h>

static int x;

__attribute__((constructor)) static void set(void) { x = 1; }

int main(void) {
    assert(x == 0);
    return 0;
}
