// expect: SAFE
// flags: -p valid-memsafety
#include <stdlib.h>
static int *kept;
int main(void) {
    kept = malloc(sizeof *kept);
    return 0;
}
