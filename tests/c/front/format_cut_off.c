// flags: -p valid-memsafety
// expect: UNKNOWN printf with a format
// A format that ends in the middle of a conversion is not read beyond its end.
#include <stdio.h>

int main(void) {
    printf("100 %");
    return 0;
}
