// expect: UNSAFE signed integer overflow
// flags: -p no-overflow
/* Nobody uses the result, and nothing comes after it. */
#include <limits.h>
int main(void) {
    int n = INT_MAX;
    n++;
    return 0;
}
