// expect: UNSAFE free
// flags: -p valid-memsafety -e weave
#include <stdlib.h>
static int *g;
int main(void) {
    g = malloc(3 * sizeof *g);
    g++;
    free(g);
}
