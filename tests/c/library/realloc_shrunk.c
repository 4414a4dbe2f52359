// expect: SAFE
/* What was given back is gone, whether or not the object has moved: to write there is undefined. */
#include <assert.h>
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int *p = malloc(8), *q;
    p[0] = p[1] = 1;
    q = realloc(p, 4);
    assert(q[0] == 1);
    if (__VERIFIER_nondet_bool()) {
        q[1] = 5;
        assert(q[0] == 0);
    }
    free(q);
    return 0;
}
