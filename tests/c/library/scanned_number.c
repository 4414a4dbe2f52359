// expect: UNSAFE
// What is read is any number; what could not be read is as it was.
#include <assert.h>
#include <stdio.h>

int main(void) {
    int n = 1, k = 2;
    if (scanf("%d,%d", &n, &k) != 2) return 0;
    assert(n != 12345 || k != -7);
    return 0;
}
