// expect: UNKNOWN a function that runs after main
/* The assertion fails after main has returned, in a function that is not followed: no verdict. */
#include <assert.h>

static int x;

__attribute__((destructor)) static void look(void) { assert(x == 0); }

int main(void) {
    x = 1;
    return 0;
}
