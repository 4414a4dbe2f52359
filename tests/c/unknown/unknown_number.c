// expect: UNKNOWN which gets a number that may be an address
/* An address does not become harmless by a cast. */
#include <assert.h>
#include <stdint.h>

extern void keep(uintptr_t number);

int main(void) {
    int x = 0;
    uintptr_t number = (uintptr_t)&x;
    keep(number);
    assert(x == 0);
    return 0;
}
