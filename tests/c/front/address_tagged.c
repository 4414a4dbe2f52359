// expect: SAFE
// The low bits of an aligned object's address are 0, so they can carry a mark.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    long *p = malloc(sizeof *p);
    uintptr_t marked = (uintptr_t)p | 1;
    assert(((uintptr_t)p & 7) == 0);
    assert(marked & 1);
    assert((long *)(marked & ~(uintptr_t)1) == p);
    return 0;
}
