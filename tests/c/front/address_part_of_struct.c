// expect: UNSAFE assertion u.h[1] == 0 fails
// A part of an address in a larger object is open, too.
#include <assert.h>

static union {
    struct {
        int *p;
        int n;
    } s;
    unsigned short h[8];
} u;
static int g;

int main(void) {
    u.s.p = &g;
    assert(u.h[1] == 0);
    return 0;
}
