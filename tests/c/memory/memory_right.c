// expect: SAFE
// flags: -p valid-memsafety
#include <stdlib.h>
int main(void) {
    int *a = malloc(3 * sizeof *a);
    for (int i = 0; i < 3; i++) a[i] = i;
    free(a);
    return 0;
}
