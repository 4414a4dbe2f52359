// expect: UNKNOWN after the same seed come the same random numbers
// flags: --timeout 5
/* Who sets no seed gets the numbers of seed 1. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int first = rand();
    srand(1);
    int second = rand();
    assert(first == second);
    return 0;
}
