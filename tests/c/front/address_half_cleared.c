// expect: UNKNOWN C leaves open which number an address is
// flags: -p unreach-call
// An address of which a part is cleared may be null.
#include <assert.h>
#include <string.h>

static int g;

int main(void) {
    int *p = &g;
    memset(&p, 0, 4);
    assert(p != 0);
    return 0;
}
