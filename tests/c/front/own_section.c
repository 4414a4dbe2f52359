// expect: UNSAFE
/* __VERIFIER_atomic_begin with a body that is not empty is what its body says. */
#include <assert.h>
#include <pthread.h>

static int begun, x;
void __VERIFIER_atomic_begin(void) { begun++; }
void __VERIFIER_atomic_end(void) {}

int main(void) {
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    assert(begun == 0);
    return 0;
}
