// expect: UNSAFE access out of bounds
// flags: -p valid-memsafety
/* Room for seven characters and the null. */
#include <stdio.h>
int main(void) {
    char b[8];
    return scanf("%8s", b) == 1 && b[0];
}
