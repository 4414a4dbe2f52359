// expect: UNKNOWN the result of an output function is any number
// flags: --timeout 5
/* How much was printed is known to the library, or that it failed: not to us. */
#include <assert.h>
#include <stdio.h>

int main(void) {
    assert(printf("hello") == 5);
    return 0;
}
