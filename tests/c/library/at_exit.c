// expect: UNSAFE
// What is registered for the end runs then, the last one first, by return and by exit alike.
#include <assert.h>
#include <stdlib.h>

static int n;

static void first(void) { assert(n != 2); }
static void second(void) { n++; }

int main(void) {
    atexit(first);
    atexit(second);
    n = 1;
    exit(0);
}
