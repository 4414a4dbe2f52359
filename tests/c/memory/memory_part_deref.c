// expect: SAFE
// flags: -p valid-deref,valid-free
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p) return 1;
    *p = 1;
    p = 0;
    return 0;
}
