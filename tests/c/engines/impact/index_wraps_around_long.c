// expect: UNSAFE
// flags: -e impact
/* … at the width of a pointer, in bytes and through a pointer: what is added to it is the program's own arithmetic. */
#include <assert.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
static char a[8];

int main(void) {
    unsigned long i = __VERIFIER_nondet_ulong();
    char *p = a;
    if (i * 3u < 8) {
        p += i * 3u;
        *p = 1;
        assert(a[1] == 0);
    }
    return 0;
}
