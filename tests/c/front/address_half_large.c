// expect: UNKNOWN an address may be stored where
// flags: -p unreach-call
// A number that looks like a half of an address replaces one.
#include <assert.h>

static int g;
static union {
    int *p;
    unsigned half[2];
} u;

int main(void) {
    u.p = &g;
    u.half[0] = 4096;
    assert(u.p == &g);
    return 0;
}
