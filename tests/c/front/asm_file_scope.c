// expect: UNKNOWN assembler code outside of functions
/* Assembler code outside of functions can define anything. */
#include <assert.h>

__asm__(".globl x\n x: .long 1");
extern int x;

int main(void) {
    assert(x == 0);
    return 0;
}
