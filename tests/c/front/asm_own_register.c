// expect: SAFE
/* … unless the output has a register of its own. */
#include <assert.h>

int main(void) {
    int a = 3, b;
    __asm__("movl $1, %0; addl %1, %0" : "=&r"(b) : "r"(a));
    assert(b == 4);
    return 0;
}
