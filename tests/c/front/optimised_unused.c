// expect: UNKNOWN in optimised code
// flags: -- -O1
/* The optimiser computes x + 1 before it is known whether it is needed. Where it is not, an overflow is none. */
#include <limits.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
int g, h, table[2] = {INT_MAX, 3};

int main(void) {
    int x = table[__VERIFIER_nondet_bool()];
    _Bool c = __VERIFIER_nondet_bool();
    int r = c ? x + 1 : 0;
    g = r;
    if (c) h = x + 1;
    if (x == INT_MAX && !c) reach_error();
    return 0;
}
