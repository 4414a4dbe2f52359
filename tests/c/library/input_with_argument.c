// expect: UNKNOWN __VERIFIER_nondet_into, which gets a pointer
/* An input that is given a pointer does more than to choose a value. */
#include <assert.h>

extern int __VERIFIER_nondet_into(int *place);

int main(void) {
    int x = 0;
    __VERIFIER_nondet_into(&x);
    assert(x == 0);
    return 0;
}
