// expect: UNKNOWN an address may be stored where
// flags: -p unreach-call
// A copy of twelve bytes moves one address and a half.
#include <assert.h>
#include <string.h>

static int g, *s[2], *d[2];

int main(void) {
    for (int i = 0; i < 2; i++) s[i] = &g;
    memcpy(d, s, 12);
    assert(d[1] != &g);
    return 0;
}
