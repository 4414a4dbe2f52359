// expect: SAFE
// Memory that is asked for at a multiple of a number lies there.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    void *p = aligned_alloc(64, 128), *q;
    assert((uintptr_t)p % 64 == 0);
    assert(posix_memalign(&q, 256, 10) == 0);
    assert(((uintptr_t)q & 255) == 0);
    assert(posix_memalign(&q, 3, 10) != 0);
    free(p);
    return 0;
}
