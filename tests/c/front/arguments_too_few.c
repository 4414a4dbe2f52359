// expect: SAFE
// Who takes more arguments than there are has undefined behaviour: nothing after that counts.
#include <assert.h>
#include <stdarg.h>

static int second(int first, ...) {
    va_list list;
    va_start(list, first);
    (void)va_arg(list, int);
    int result = va_arg(list, int);
    va_end(list);
    return result;
}

int main(void) {
    int n = second(1, 2);
    assert(0);
    return n;
}
