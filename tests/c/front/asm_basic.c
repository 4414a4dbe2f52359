// expect: UNKNOWN assembler code
/* Assembler code without operands can name variables itself. */
#include <assert.h>

int x;

int main(void) {
    __asm__ volatile("movl $1, x(%rip)");
    assert(x == 0);
    return 0;
}
