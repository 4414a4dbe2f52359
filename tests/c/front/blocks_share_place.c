// expect: UNSAFE
/* Compilers give the locals of two blocks one place. */
#include <assert.h>
#include <stdint.h>

static uintptr_t use(int *p) {
    p[0] = 1;
    return (uintptr_t)p;
}

int main(void) {
    uintptr_t s, t;
    {
        int x[4];
        s = use(x);
    }
    {
        int y[4];
        t = use(y);
        assert(t != s);
    }
    return 0;
}
