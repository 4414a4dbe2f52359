// expect: UNKNOWN C leaves open whether the end of an object
// flags: --engine impact
#include <assert.h>

int a[4], b[4];

int main(void) {
    int *end = a + 4, *start = b;
    a[0] = b[0] = 1;
    assert(end != start);
    return 0;
}
