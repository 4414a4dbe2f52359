// expect: UNSAFE use after free
// flags: -p valid-memsafety
/* gcc's headers name the function that frees what another one allocates. clang refuses the attribute. */
#include <stdlib.h>
static void drop(int *p) { free(p); }
static int *make(int n) __attribute__((__malloc__(drop, 1))) __attribute__((__malloc__));
static int *make(int n) {
    int *p = malloc(sizeof *p);
    *p = n;
    return p;
}
int main(void) {
    int *p = make(3);
    drop(p);
    return *p;
}
