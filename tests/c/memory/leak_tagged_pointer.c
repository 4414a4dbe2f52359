// expect: SAFE
// flags: -p valid-memsafety
// A pointer with a bit set that tells something, and one that is kept in pieces, still point to the memory.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
uintptr_t word;
char bytes[1 + sizeof(void *)];
int main(void) {
    int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    word = (uintptr_t)p | 1;
    for (size_t i = 0; i < sizeof q; i++) bytes[1 + i] = ((char *)&q)[i];
    p = q = NULL;
    return 0;
}
