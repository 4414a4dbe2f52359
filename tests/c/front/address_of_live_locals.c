// expect: SAFE
#include <assert.h>

static void differ(int *a, int *b) { assert(a != b); }

int main(void) {
    int x = 1, y = 2;
    differ(&x, &y);
    return x + y == 3 ? 0 : 1;
}
