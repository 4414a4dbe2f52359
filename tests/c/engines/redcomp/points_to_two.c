// expect: UNSAFE
// flags: -e redcomp
// A pointer may point to either of two arrays, and a write through it changes the second.
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
static int one[4], two[4];

int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 4;
    int *p = __VERIFIER_nondet_bool() ? one : two;
    p[i] = 1;
    assert(two[i] == 0);
    return 0;
}
