// expect: UNKNOWN an address may be stored where the program reads a part of it
// flags: -p unreach-call
// A byte at a known place of an array of pointers is a part of an address, although the pointers are stored at an index.
#include <assert.h>

static int g, *t[2];

int main(void) {
    unsigned char *b = (unsigned char *)t;
    for (int i = 0; i < 2; i++) t[i] = &g;
    assert(b[2] == 0);
    return 0;
}
