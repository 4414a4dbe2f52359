// expect: UNSAFE
/* There may be no object of no bytes. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
    assert(malloc(0) != NULL);
    return 0;
}
