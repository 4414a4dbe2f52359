// expect: UNSAFE assertion
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    void *p = malloc(24);
    unsigned hash = (uintptr_t)p >> 4 & 63;
    assert(hash == 0);
    return 0;
}
