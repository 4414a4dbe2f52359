// expect: UNSAFE is not freed when the process ends (valid-memcleanup)
// flags: -p valid-memcleanup
#include <stdlib.h>
static int *kept;
int main(void) {
    kept = malloc(sizeof *kept);
    exit(0);
}
