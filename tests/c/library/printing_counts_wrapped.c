// expect: UNKNOWN vfprintf, which stores through an argument
// A wrapper may be given a format that stores how much was printed.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static void report(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

int main(void) {
    int n = 0;
    report("abc%n\n", &n);
    assert(n == 0);
    return 0;
}
