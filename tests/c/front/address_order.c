// expect: UNSAFE assertion
#include <assert.h>

int a, b;

int main(void) {
    a = b = 1;
    assert(&a < &b);
    return 0;
}
