// expect: UNKNOWN realloc to no bytes may keep the object
// flags: -p valid-memsafety
#include <stdlib.h>
int main(void) {
    char *p = malloc(4), *q;
    if (!p) return 0;
    q = realloc(p, 0);
    free(q);
    return 0;
}
