// expect: UNKNOWN assembler code
/* … and what is given an address can write there, whatever it says that it does. */
#include <assert.h>

int main(void) {
    int x = 0;
    __asm__ volatile("movl $1, (%0)" : : "r"(&x));
    assert(x == 0);
    return 0;
}
