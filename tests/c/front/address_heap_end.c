// expect: UNKNOWN C leaves open whether the end of an object, a dead object or a literal has the address of another object
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(32), *q = malloc(32);
    assert(p + 16 != q); // p lives
    assert(p + 32 != q);
    return 0;
}
