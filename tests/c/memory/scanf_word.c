// expect: SAFE
// flags: -p valid-memsafety
#include <stdio.h>
int main(void) {
    char b[8];
    if (scanf("%7s", b) != 1) return 0;
    return b[7];
}
