// expect: SAFE
// flags: -p valid-memsafety
// No more of a text is read than the precision says: it need not end.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}
int main(void) {
    char a[3] = {'a', 'b', 'c'};
    printf("%.3s\n", a);
    printf("%.*s\n", 2, a);
    say("%.3s %f %p\n", a, 1.0, (void *)a);
    fwrite(a, 1, sizeof a, stdout);
    perror(NULL);
    return 0;
}
