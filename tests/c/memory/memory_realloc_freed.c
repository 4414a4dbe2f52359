// expect: UNSAFE memory is freed that was freed already (valid-free)
// flags: -p valid-memsafety
#include <stdlib.h>
int main(void) {
    int *p = malloc(4), *q;
    if (!p) return 1;
    free(p);
    q = realloc(p, 8);
    free(q);
}
