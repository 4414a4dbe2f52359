// expect: SAFE
/* memcpy of memory that overlaps is undefined, memmove is not. */
#include <assert.h>
#include <string.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    char a[8] = "abcdefg";
    memmove(a + 1, a, 4);
    assert(a[1] == 'a' && a[2] == 'b');
    memcpy(a, a + 4, 4);
    assert(a[0] == 'd');
    if (__VERIFIER_nondet_bool()) {
        memcpy(a + 1, a, 4);
        assert(a[1] == 'x');
    }
    return 0;
}
