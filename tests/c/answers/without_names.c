// expect: SAFE
// flags: -- -g0
// Variables of which the compiler tells no name change like others.
#include <assert.h>

int main(void) {
    int a[3] = {0, 0, 0}, n = 0;
    a[n++] = 5;
    a[n++] = 6;
    int x = 1, y = 2, old = x++ + y;
    assert(a[0] == 5 && a[1] == 6 && n == 2 && x == 2 && old == 3);
    return 0;
}
