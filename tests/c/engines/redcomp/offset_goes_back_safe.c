// expect: SAFE
// flags: -e redcomp
/* … but not the first, nor the last. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int a[4];

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i >= -1 && i < 1) {
        *(int *)((char *)a + i * 4 + 8) = 1;
        assert(a[0] == 0 && a[3] == 0);
    }
    return 0;
}
