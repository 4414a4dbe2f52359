// expect: UNKNOWN what sscanf makes of a text is any
// What a text says is not looked at.
#include <assert.h>
#include <stdio.h>

int main(void) {
    int n = 0;
    sscanf("12", "%d", &n);
    assert(n == 12);
    return 0;
}
