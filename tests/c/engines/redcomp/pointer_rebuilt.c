// expect: UNKNOWN
// flags: --engine redcomp --timeout 20
// No data flows from the address to the number that is made equal to it.
#include <assert.h>
#include <stdint.h>

int x;

int main(void) {
    uintptr_t address = (uintptr_t)&x, number = 0;
    while (number != address) number++;
    *(int *)number = 5;
    assert(x != 5);
    return 0;
}
