// expect: UNKNOWN code that the program declares unreachable
// A function that says that it does not return, and does.
#include <assert.h>

static int failed;

static _Noreturn void die(void) { failed = 1; }

int main(void) {
    if (!failed) die();
    assert(0);
    return 0;
}
