// expect: SAFE
// flags: -p valid-memcleanup,valid-memsafety
#include <stdlib.h>
static int *kept;
int main(void) {
    kept = malloc(sizeof *kept);
    free(kept);
}
