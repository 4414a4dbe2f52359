// expect: SAFE
/* Barriers and pauses do nothing else; an empty piece of code passes a value on; ud2 ends the process. */
#include <assert.h>

static int x;

int main(void) {
    int y = 5;
    x = 1;
    __asm__ volatile("" : : : "memory");
    __asm__ volatile("mfence" : : : "memory");
    __asm__ volatile("lock; addl $0,0(%%rsp)" : : : "memory", "cc");
    __asm__ volatile("pause\n\tnop");
    __asm__("" : "+r"(y));
    __asm__ volatile("" : "+m"(x));
    assert(x == 1 && y == 5);
    __asm__ volatile("ud2");
    assert(0);
    return 0;
}
