// expect: UNSAFE x == 0 fails
/* The assertion fails after main has returned. */
#include <assert.h>

static int x;

__attribute__((destructor)) static void look(void) { assert(x == 0); }

int main(void) {
    x = 1;
    return 0;
}
