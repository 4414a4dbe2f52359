// expect: UNKNOWN C leaves open which number an address is
// flags: -p unreach-call
// The bytes of an array of pointers, each read alone, are parts of addresses.
#include <assert.h>

static int g, *t[2];

int main(void) {
    unsigned char *b = (unsigned char *)t;
    for (int i = 0; i < 2; i++) t[i] = &g;
    for (unsigned i = 2; i < 3; i++) assert(b[i] == 0);
    return 0;
}
