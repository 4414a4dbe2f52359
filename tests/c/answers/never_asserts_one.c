// expect: SAFE no execution reaches the assertion at
// flags: -q
/* One of two assertions is behind what never happens. */
#include <assert.h>

static int n;

int main(void) {
    for (int i = 0; i < 3; i++) n += i;
    assert(n == 3);
    if (n == 4) {
        n = 7;
        assert(n == 8);
    }
    return 0;
}
