// expect: SAFE
// flags: -- -fsanitize=undefined,thread -fsanitize-trap=undefined
// What a compiler adds to look for faults is no part of the program.
#include <assert.h>
#include <limits.h>

int main(void) {
    int x = INT_MAX;
    x -= 1 << 3;
    assert(x == INT_MAX - 8);
    return 0;
}
