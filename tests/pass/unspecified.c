// pass: drop-subsumed
/* The remainder of an address and the order of two allocations are any value: proofs leave out how they are where objects lie as in a program. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *x = malloc(sizeof *x), *y = malloc(sizeof *y);
    uintptr_t h = (uintptr_t)x % 7;
    unsigned long g = (unsigned long)y;
    if (x < y) h = 1;
    assert(h < 7 && g != 0);
    return 0;
}
