// expect: UNSAFE
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(8);
    uintptr_t before = (uintptr_t)p;
    p = realloc(p, 64);
    assert((uintptr_t)p != before);
    return 0;
}
