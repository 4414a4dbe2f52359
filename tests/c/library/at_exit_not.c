// expect: SAFE
// The order is right, and nothing is called if the process ends otherwise.
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static int n;

static void never(void) { assert(0); }
static void first(void) { assert(n == 2); }
static void second(void) { n++; }

int main(int argc, char **argv) {
    if (argc > 1) {
        atexit(never);
        _exit(1);
    }
    at_quick_exit(never);
    atexit(first);
    atexit(second);
    n = 1;
    return 0;
}
