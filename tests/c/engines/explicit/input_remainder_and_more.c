// expect: UNSAFE
// flags: --engine explicit
// The remainder decides, but the input is used afterwards.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x % 2) assert(x != 12345);
    return 0;
}
