// expect: UNSAFE assertion end != start fails
#include <assert.h>

int a[4], b[4];

int main(void) {
    int *end = a + 4, *start = b;
    a[0] = b[0] = 1;
    assert(end != start);
    return 0;
}
