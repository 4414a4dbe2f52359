// expect: SAFE
// Formatting into memory is exact for integers, characters and strings.
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <stdarg.h>
static int my(char *b, size_t n, const char *f, ...) { va_list ap; va_start(ap, f); int r = vsnprintf(b, n, f, ap); va_end(ap); return r; }
int main(void) {
    char b[64];
    int n = snprintf(b, sizeof b, "w-%d %s|%5d|%-4u|%04x|%c%%", 12, "abc", -7, 3u, 0xbeu, 'q');
    assert(!strcmp(b, "w-12 abc|   -7|3   |00be|q%"));
    assert(n == 27);
    n = snprintf(b, 4, "%ld", 123456L);
    assert(n == 6 && !strcmp(b, "123"));
    sprintf(b, "%+d % d %#x %#o %.3d %llu %hhd", 5, 6, 255, 8, 7, 18446744073709551615ull, 257);
    assert(!strcmp(b, "+5  6 0xff 010 007 18446744073709551615 1"));
    n = my(b, 64, "%*d %.*s %zu", 4, 2, 2, "xyz", sizeof(int));
    assert(n == 9 && !strcmp(b, "   2 xy 4"));
    n = snprintf(b, 64, "%d%s", 0, "");
    assert(n == 1 && b[0] == '0' && b[1] == 0);
    return 0;
}
