// expect: UNSAFE
// flags: -e redcomp
/* Twelve times a number has wrapped around to 0: the first element is hit. i is 2^62. */
#include <assert.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
static int a[4];

int main(void) {
    unsigned long i = __VERIFIER_nondet_ulong();
    if (i * 12ul < 16) {
        *(int *)((char *)a + i * 12ul) = 1;
        assert(a[0] == 0 || i == 0);
    }
    return 0;
}
