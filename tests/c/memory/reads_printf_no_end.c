// expect: UNSAFE access out of bounds
// flags: -p valid-memsafety
#include <stdio.h>
int main(void) {
    char a[3] = {'a', 'b', 'c'};
    printf("%.*s\n", -1, a);
    return 0;
}
