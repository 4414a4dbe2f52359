// expect: SAFE
/* What is meant for verifiers has no effect on the program, even where numbers may be addresses. */
#include <assert.h>
#include <stdint.h>

void __VERIFIER_loop_bound(int);
void __VERIFIER_spin_end(int);
int n;
uintptr_t address;

int main(void) {
    address = (uintptr_t)&n;
    for (int i = 0; i < 3; i++) {
        __VERIFIER_loop_bound(3);
        __VERIFIER_spin_end(i);
    }
    assert(n == 0);
    return 0;
}
