// expect: SAFE
// flags: -p valid-memsafety
// snprintf writes no more than there is to write, whatever the size that it is told.
#include <stdio.h>
int main(void) {
    char text[4];
    snprintf(text, 1000, "%d", 123);
    return 0;
}
