// expect: UNSAFE access out of bounds
// flags: -p valid-memsafety
// A text that nobody looks at must have room all the same.
#include <stdio.h>
int main(void) {
    char text[4];
    sprintf(text, "%d", 1234);
    return 0;
}
