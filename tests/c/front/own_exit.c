// expect: UNSAFE
/* A program that has a function _exit of its own means that. */
#include <assert.h>

void _exit(int code) {
    assert(code != 3);
    for (;;) {}
}

int main(void) {
    _exit(3);
}
