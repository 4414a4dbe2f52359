// expect: UNKNOWN
// flags: --engine redcomp
// A pointer that another file sets may point to anything.
#include <assert.h>

extern int *somewhere;
int x;

int main(void) {
    *somewhere = 5;
    assert(x != 5);
    return 0;
}
