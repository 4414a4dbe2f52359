// expect: UNSAFE memory leak
// flags: -p valid-memsafety
#include <stdlib.h>
#include <string.h>
static unsigned char bytes[sizeof(void *)];
int main(void) {
    int *p = malloc(4);
    if (!p) return 1;
    memcpy(bytes, &p, sizeof p - 4);
}
