// expect: UNSAFE
// flags: -e redcomp
// A variable is constant before a loop, and not behind it.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), limit = 1;
    for (unsigned i = 0; i < n; i++) limit = limit + 3;
    assert(limit != 7);
    return 0;
}
