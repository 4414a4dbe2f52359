// expect: UNKNOWN C leaves open
/* Each time around, more of the stack is in use: the local of the function that is called lies elsewhere. */
#include <alloca.h>
#include <assert.h>
#include <stdint.h>

uintptr_t saved;

static void look(int k) {
    int x = k, *p = &x;
    if (k == 0) saved = (uintptr_t)p;
    else assert((uintptr_t)p == saved);
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        volatile char *q = alloca(64);
        q[0] = 1;
        look(i);
    }
    return 0;
}
