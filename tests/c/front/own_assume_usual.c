// expect: SAFE
/* Both usual ways to write an assumption. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void assume_abort_if_not(int condition) {
    if (!condition) { abort(); }
}
void __VERIFIER_assume(int condition) {
    if (!condition) {
    LOOP: goto LOOP;
    }
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    assume_abort_if_not(x > 2);
    __VERIFIER_assume(x < 4);
    assert(x == 3);
    return 0;
}
