// expect: UNSAFE endless execution
// flags: --property termination
// Once is enough.
#include <stdatomic.h>
atomic_int x;
int main(void) {
    int expected = 0;
    if (!atomic_compare_exchange_weak(&x, &expected, 1))
        for (;;) ;
    return 0;
}
