// expect: UNSAFE use after free
// flags: -p valid-memsafety
// What %s is given must be there; a width and a precision, numbers and pointers come between.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(2);
    if (!p) return 0;
    p[0] = 'a';
    p[1] = 0;
    printf("%5.*s %d %p %%\n", 1, p, 3, (void *)p);
    free(p);
    fprintf(stderr, "%g %*d %s\n", 1.5, 4, 5, p);
    return 0;
}
