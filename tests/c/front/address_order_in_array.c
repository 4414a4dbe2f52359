// expect: SAFE
// Within an object, order and distance are known.
#include <assert.h>
#include <stdlib.h>

int table[4];

int main(void) {
    int *p = &table[1], *q = &table[3], *heap = malloc(4 * sizeof *heap), *end = heap + 4;
    assert(p < q && q - p == 2 && heap < end && end - heap == 4);
    return 0;
}
