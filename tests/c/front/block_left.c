// expect: SAFE
/* A local lives as long as its block. Who reads it later has no defined behaviour, so the assertion fails in no execution that counts. */
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int y = 6, *p = &y;
    if (__VERIFIER_nondet_bool()) {
        int x = 5;
        p = &x;
    }
    assert(*p == 6);
    for (int i = 0; i < 2; i++) {
        p = &y;
        if (__VERIFIER_nondet_bool()) {
            p = (int[]){4, 5}; /* so does a compound literal */
        }
        assert(p[0] == 6);
    }
    return 0;
}
