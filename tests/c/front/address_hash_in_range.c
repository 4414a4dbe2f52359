// expect: SAFE
// Whatever the number is, the hash is small; and a pointer is equal to itself.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    void *p = malloc(24), *q = p;
    unsigned hash = (uintptr_t)p >> 4 & 63;
    assert(hash < 64 && p == q && p);
    return 0;
}
