// expect: SAFE
// flags: --engine explicit
// Between an input and where it is used lie loops that have nothing to do with it.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), a[4] = {0};
    for (int i = 0; i < 40; i++) a[i % 4] += i;
    for (int k = 0; k < 2; k++)
        if (x >= 0 && x < 4) {
            for (int i = 0; i < 4; i++) a[i]++;
            a[x] = k;
        }
    assert(a[0] >= 0);
    return 0;
}
