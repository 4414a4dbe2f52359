// expect: UNKNOWN a compare-exchange may fail for no reason, if it is a weak one
// flags: -e explicit
/* A weak compare-exchange of an object that the machine has no instruction for: clang calls the library, without a word about weakness. */
#include <assert.h>
#include <stdatomic.h>

struct Wide {
    int a, b, c, d, e;
};
static _Atomic struct Wide wide;

int main(void) {
    struct Wide expected = wide, desired = {1, 2, 3, 4, 5};
    assert(atomic_compare_exchange_weak(&wide, &expected, desired));
    return 0;
}
