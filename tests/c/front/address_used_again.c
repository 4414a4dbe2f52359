// expect: UNSAFE p#1 → q#1, *q#1: 0 → 9
// A story tells freed memory from what took its place: another name, and what it held is gone.
#include <assert.h>
#include <stdlib.h>

int *shared, n;

int main(void) {
    int *p, *q;
    n = 1;
    // One is freed before the other is there.
    p = malloc(4), shared = p, *p = 7, free(p);
    q = calloc(1, 4), shared = q, *q = 9;
    n = *q;
    assert(n == 3);
    return 0;
}
