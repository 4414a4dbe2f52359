// expect: SAFE
// An address that is copied byte by byte is the same address.
#include <assert.h>

static int g = 1;
static unsigned char buffer[sizeof(int *)];

int main(void) {
    int *p = &g, *q;
    for (unsigned i = 0; i < sizeof p; i++) buffer[i] = ((unsigned char *)&p)[i];
    for (unsigned i = 0; i < sizeof p; i++) ((unsigned char *)&q)[i] = buffer[i];
    assert(*q == 1 && q == &g);
    return 0;
}
