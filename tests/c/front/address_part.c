// expect: UNSAFE assertion b[2] == 0 fails
// C leaves open what the bytes of an address are.
#include <assert.h>
#include <string.h>

static int g;

int main(void) {
    int *p = &g;
    unsigned char b[sizeof p];
    memcpy(b, &p, sizeof p);
    assert(b[2] == 0);
    return 0;
}
