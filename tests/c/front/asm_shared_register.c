// expect: UNKNOWN assembler code
/* An output that is written before an input is read: they may share a register, so it is not known what is read. */
#include <assert.h>

int main(void) {
    int a = 3, b;
    __asm__("movl $1, %0; addl %1, %0" : "=r"(b) : "r"(a));
    assert(b == 4);
    return 0;
}
