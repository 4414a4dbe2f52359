// expect: UNKNOWN C leaves open
// flags: --engine impact
// Two answers to one question must agree: where more than one is open, no error relies on them.
#include <assert.h>

int a[4], b[4];

int main(void) {
    int *end = a + 4, *start = b;
    a[0] = b[0] = 1;
    int first = end == start, second = end == start;
    assert(first == second);
    return 0;
}
