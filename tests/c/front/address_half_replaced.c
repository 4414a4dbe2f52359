// expect: UNKNOWN C leaves open which number an address is
// flags: -p unreach-call
// A number replaces a half of an address. The other half is open.
#include <assert.h>

static int g;
static union {
    int *p;
    unsigned half[2];
} u;

int main(void) {
    u.p = &g;
    u.half[0] = 0;
    assert(u.p != 0);
    return 0;
}
