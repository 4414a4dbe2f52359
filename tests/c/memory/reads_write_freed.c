// expect: UNSAFE use after free
// flags: -p valid-memsafety
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    char *p = calloc(4, 1);
    if (!p) return 0;
    write(1, p, 4);
    free(p);
    write(1, p, 0);
    write(1, p, 1);
    return 0;
}
