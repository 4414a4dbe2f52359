// expect: SAFE
// flags: -e redcomp
/* Elements of twelve bytes with an index as wide as a pointer: C does not let their offset wrap around, and their fields stay apart. */
#include <assert.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
static struct { int a, b; short c; } s[4];

int main(void) {
    unsigned long i = __VERIFIER_nondet_ulong();
    if (i < 4) {
        s[i].a = 1;
        s[i].c = 2;
        assert(s[0].b == 0 && s[3].b == 0);
    }
    return 0;
}
