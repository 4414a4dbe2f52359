// expect: SAFE
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uchar();
    if (x == 0) return 0;
    assert(__builtin_clz(x) >= 24 && __builtin_ctz(x) < 8);
    return 0;
}
