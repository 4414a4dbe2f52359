// expect: UNSAFE
// Writing through pointers that are among the further arguments.
#include <assert.h>
#include <stdarg.h>

static void set(int *first, ...) {
    va_list list;
    va_start(list, first);
    for (int *at = first; at; at = va_arg(list, int *)) *at = 1;
    va_end(list);
}

int main(void) {
    int x = 0, y = 0, z = 0;
    set(&x, &y, (int *)0);
    assert(x == 1 && y == 1);
    set(&z, (int *)0);
    assert(z == 0);
    return 0;
}
