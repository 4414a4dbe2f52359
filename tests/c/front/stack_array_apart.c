// expect: SAFE
/* A variable-length array and a local that live at the same time have two places. */
#include <assert.h>
#include <stdint.h>

static int apart(int n) {
    int x[8], a[n];
    x[0] = a[0] = n;
    return (uintptr_t)a != (uintptr_t)x && x[0] == n;
}

int main(void) {
    assert(apart(8));
    return 0;
}
