// expect: UNSAFE memory is freed that was freed already (valid-free)
// flags: -p valid-memsafety
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p) return 1;
    free(p);
    free(p);
    *p = 1;
}
