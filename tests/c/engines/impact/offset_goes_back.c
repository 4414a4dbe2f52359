// expect: UNSAFE
// flags: -e impact
/* Bytes are counted back from the middle of an array: element 1 is hit. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int a[4];

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i >= -2 && i < 2) {
        *(int *)((char *)a + i * 4 + 8) = 1;
        assert(a[1] == 0);
    }
    return 0;
}
