// expect: UNSAFE access out of bounds
// flags: -p valid-memsafety
#include <stdio.h>
int main(void) {
    int a[2] = {1, 2};
    fwrite(a, sizeof *a, 3, stdout);
    return 0;
}
