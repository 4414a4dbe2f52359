// expect: UNKNOWN recursion of again beyond
// Recursion with the same constant has no end of its own.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static int calls;

static void again(int n) {
    calls += n;
    if (__VERIFIER_nondet_int()) again(n);
}

int main(void) {
    again(1);
    assert(calls > 0);
    return 0;
}
