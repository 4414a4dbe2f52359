// expect: UNSAFE
// flags: -e redcomp
/* Three times an unsigned number is no multiple of three once it has wrapped around. i is 0xaaaaaaab. */
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static int a[8];

int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i * 3u < 8) {
        a[i * 3u] = 1;
        assert(a[1] == 0);
    }
    return 0;
}
