// expect: SAFE
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int sign(int x) {
    switch ((x > 0) - (x < 0)) {
    case -1: return -1;
    case 0: return 0;
    case 1: return 1;
    default: __builtin_unreachable();
    }
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    assert((sign(x) == 0) == (x == 0));
    return 0;
}
