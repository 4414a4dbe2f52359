// expect: SAFE
// flags: -p valid-memsafety
/* The bytes of a pointer, in an array or in two halves, are one. */
#include <stdlib.h>
#include <string.h>
static unsigned char bytes[sizeof(void *)];
static struct {
    unsigned low, high;
} halves;
int main(void) {
    int *p = malloc(4), *q = malloc(4);
    memcpy(bytes, &p, sizeof p);
    memcpy(&halves.high, (char *)&q + 4, 4);
    memcpy(&halves.low, &q, 4);
}
