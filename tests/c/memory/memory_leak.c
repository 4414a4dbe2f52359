// expect: UNSAFE memory leak
// flags: -p valid-memsafety
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    return 0;
}
