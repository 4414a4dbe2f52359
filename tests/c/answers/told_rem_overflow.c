// expect: UNSAFE -2147483648 % -1: the quotient does not fit into 32 bits
// flags: -p no-overflow -e explicit
#include <limits.h>

int main(void) {
    volatile int x = INT_MIN, y = -1;
    return x % y;
}
