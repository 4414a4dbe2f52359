// expect: UNSAFE
// flags: --data-model ILP32 -e redcomp
/* The array is larger than the room that objects have to themselves with 32-bit pointers: its end belongs to it all the same. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static char large[100000], small[10];

int main(void) {
    char *p = __VERIFIER_nondet_int() ? large : small;
    int i = __VERIFIER_nondet_int();
    if (p == small || i < 70000 || i >= 100000) return 0;
    p[i] = 1;
    assert(large[i] == 0);
    return 0;
}
