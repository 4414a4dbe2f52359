// expect: UNKNOWN C leaves open which number an address is
// flags: --engine impact
#include <assert.h>
#include <stdint.h>

int x;

int main(void) {
    unsigned __int128 wide = (uintptr_t)&x;
    x = 1;
    assert((wide >> 4 & 63) == 0);
    return 0;
}
