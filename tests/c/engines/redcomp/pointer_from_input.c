// expect: UNKNOWN so Heddle does not know its target [H0738]
// flags: --engine redcomp
// An input can be the address of a variable. Engines that split memory by what pointers point to must not overlook that.
#include <assert.h>
#include <stdint.h>

unsigned long __VERIFIER_nondet_ulong(void);

int x;

int main(void) {
    unsigned long number = __VERIFIER_nondet_ulong();
    if (number == (unsigned long)&x) {
        int *p = (int *)number;
        *p = 5;
    }
    assert(x != 5);
    return 0;
}
