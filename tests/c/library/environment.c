// expect: UNSAFE
// A variable may be set or not.
#include <assert.h>
#include <stdlib.h>

static int verbose;

int main(void) {
    if (getenv("VERBOSE") != NULL) verbose = 1;
    assert(!verbose);
    return 0;
}
