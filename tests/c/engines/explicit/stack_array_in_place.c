// expect: UNKNOWN C leaves open
// flags: -e explicit
/* A variable-length array may lie where a local of a function that has returned was. */
#include <assert.h>
#include <stdint.h>

uintptr_t saved;

static void first(int n) {
    int x[8];
    x[0] = n;
    saved = (uintptr_t)x;
}

static int second(int n) {
    int a[n];
    a[0] = 1;
    return (uintptr_t)a == saved;
}

int main(void) {
    first(3);
    assert(!second(8));
    return 0;
}
