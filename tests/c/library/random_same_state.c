// expect: UNKNOWN from the same seed come the same random numbers
// flags: --timeout 5
#include <assert.h>
#include <stdlib.h>

int main(void) {
    unsigned a = 1, b = 1;
    int first = rand_r(&a), second = rand_r(&b);
    assert(first == second);
    return 0;
}
