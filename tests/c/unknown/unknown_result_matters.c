// expect: UNKNOWN an error is reachable if probe() returns 7 at line 10 [H1006]
/* An error for one result, which the function may never have. */
#include <assert.h>

int probe(void);
static int n;

int main(void) {
    n = 1;
    int k = probe();
    if (k > 0) n = k;
    assert(n != 7);
    return 0;
}
