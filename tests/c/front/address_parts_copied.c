// expect: UNKNOWN C leaves open which number an address is
// flags: -p unreach-call
// A copy of unknown size moves a part of an address as well.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int g;

int main(void) {
    int *p = &g;
    unsigned long x = 0;
    size_t n = rand() ? 1 : 2;
    memcpy(&x, (char *)&p + 2, n);
    assert(x == 0);
    return 0;
}
