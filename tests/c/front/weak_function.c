// expect: UNKNOWN
/* A weak function that nobody defines has the address 0. */
#include <assert.h>
#include <stddef.h>

extern int optional(void) __attribute__((weak));

int main(void) {
    assert(optional != NULL);
    return 0;
}
