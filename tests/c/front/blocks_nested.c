// expect: SAFE
/* Locals of a block and of one inside it live at the same time. */
#include <assert.h>
#include <stdint.h>

static uintptr_t use(int *p) {
    p[0] = 1;
    return (uintptr_t)p;
}

int main(void) {
    int x[4];
    uintptr_t s = use(x), t;
    {
        int y[4];
        t = use(y);
        assert(t != s);
        {
            int z[4];
            assert(use(z) != t && use(z) != s);
        }
    }
    return 0;
}
