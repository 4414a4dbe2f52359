// expect: UNKNOWN an initial value
/* A weak function in the initial value of a table: whether the entry is null is not known, so that neither verdict is. */
#include <assert.h>
#include <stddef.h>

extern int optional(void) __attribute__((weak));
static int (*volatile table[1])(void) = {optional};

int main(void) {
    assert(table[0] == NULL);
    return 0;
}
