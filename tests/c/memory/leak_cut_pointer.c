// expect: UNSAFE
// flags: -p valid-memsafety
// A pointer of which a byte is cleared points to nothing: the memory is lost.
#include <stdlib.h>
int *volatile pointer;
int main(void) {
    pointer = malloc(sizeof(int));
    *(volatile char *)&pointer = '\0';
    return 0;
}
