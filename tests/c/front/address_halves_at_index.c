// expect: UNKNOWN C leaves open which number an address is
// flags: -p unreach-call
// A part of an address that is read at an index is open, too.
#include <assert.h>

static int g;
static union {
    int *t[2];
    unsigned short h[8];
} u;

int main(void) {
    for (int i = 0; i < 2; i++) u.t[i] = &g;
    for (unsigned i = 1; i < 2; i++) assert(u.h[i] == 0);
    return 0;
}
