// expect: UNSAFE
// … but no more than that, and other memory where it likes.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    void *p = aligned_alloc(64, 128);
    assert((uintptr_t)p % 128 == 0);
    return 0;
}
