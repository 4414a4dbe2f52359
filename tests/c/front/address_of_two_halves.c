// expect: UNKNOWN C leaves open which number an address is
// flags: -p unreach-call
// Halves of two addresses make a value that is not known to be one of the two.
#include <assert.h>

union word {
    int *p;
    unsigned half[2];
};
static int a, b;
static union word u, v, w;

int main(void) {
    u.p = &a;
    v.p = &b;
    w.half[0] = u.half[0];
    w.half[1] = v.half[1];
    assert(w.p == &b);
    return 0;
}
