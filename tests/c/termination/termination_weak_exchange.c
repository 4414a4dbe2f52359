// expect: UNKNOWN which may be endless
// flags: --property termination --engine redcomp
// A weak exchange may fail for no reason, but not without end: it is no lasso. (A proof is not found yet.)
#include <stdatomic.h>
atomic_int x;
int main(void) {
    int expected = 0;
    while (!atomic_compare_exchange_weak(&x, &expected, 1)) expected = 0;
    return 0;
}
