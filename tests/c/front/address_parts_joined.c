// expect: UNKNOWN C leaves open which number an address is
// flags: -p unreach-call
// An address that is copied byte by byte may be used as an address. It is not known that it is equal to the first one, since its bytes could
// be parts of several addresses.
#include <assert.h>

static int g = 1;
static unsigned char buffer[sizeof(int *)];

int main(void) {
    int *p = &g, *q;
    for (unsigned i = 0; i < sizeof p; i++) buffer[i] = ((unsigned char *)&p)[i];
    for (unsigned i = 0; i < sizeof p; i++) ((unsigned char *)&q)[i] = buffer[i];
    assert(*q == 1);
    assert(q == &g);
    return 0;
}
