// expect: UNKNOWN C leaves open whether the end of an object, a dead object or a literal has the address of another object
// A new object may begin in the middle of one that was freed.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(64), *middle = p + 16;
    free(p);
    char *q = malloc(16);
    assert(q != middle);
    return 0;
}
