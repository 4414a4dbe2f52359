// expect: UNKNOWN C leaves open which number an address is
// flags: --engine impact
#include <assert.h>

int a, b;

int main(void) {
    a = b = 1;
    assert(&a < &b);
    return 0;
}
