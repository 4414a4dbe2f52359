// expect: UNSAFE assertion a != b fails
// The locals of two calls may or may not be at the same place.
#include <assert.h>
#include <stdint.h>

static uintptr_t first(void) {
    int x = 1;
    int *volatile p = &x;
    return (uintptr_t)p;
}

static uintptr_t second(void) {
    int y = 2;
    int *volatile p = &y;
    return (uintptr_t)p;
}

int main(void) {
    uintptr_t a = first(), b = second();
    assert(a != b);
    return 0;
}
