// expect: UNSAFE assertion
#include <assert.h>
#include <stdint.h>

char c[3];

int main(void) {
    char *p = c;
    *p = 1;
    assert(((uintptr_t)p & 1) == 0);
    return 0;
}
