// expect: SAFE up to undefined behaviour (memory is freed that was freed already
// flags: -p valid-deref
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p) return 1;
    free(p);
    free(p);
    *p = 1;
}
