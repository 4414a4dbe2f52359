// expect: UNSAFE null pointer
// flags: -p valid-memsafety
// fopen may fail.
#include <stdio.h>
int main(void) {
    FILE *file = fopen("name", "w");
    fputs("text", file);
    return 0;
}
