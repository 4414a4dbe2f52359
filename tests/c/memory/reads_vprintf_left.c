// expect: UNSAFE use of a local variable
// flags: -p valid-memsafety
#include <stdarg.h>
#include <stdio.h>
static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}
static const char *word(void) {
    char text[] = "abc";
    const char *p = text;
    return p;
}
int main(void) {
    say("%d %s\n", 1, word());
    return 0;
}
