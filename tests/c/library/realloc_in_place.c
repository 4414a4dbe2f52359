// expect: UNSAFE
/* A reallocated object may lie where it did. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(16);
    uintptr_t before = (uintptr_t)p;
    p = realloc(p, 8);
    assert((uintptr_t)p != before);
    return 0;
}
