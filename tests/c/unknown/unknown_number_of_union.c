// expect: UNKNOWN which gets a number that may be an address
/* … nor by a union. */
#include <assert.h>

extern void keep(long number);

int main(void) {
    int x = 0;
    union {
        long number;
        int *pointer;
    } u;
    u.pointer = &x;
    long number = u.number;
    keep(number);
    assert(x == 0);
    return 0;
}
