// expect: SAFE
// flags: --property no-overflow --timeout 20
// 46340 squared is the largest square that fits; so is a third of the largest number, times three, and all but the smallest, times -1.
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int() ^ 5, square = 0, triple = 0, minus = 0;
    if (x >= -46340 && x <= 46340) square = x * x;
    if (x >= -715827882 && x <= 715827882) triple = x * 3;
    if (x != INT_MIN) minus = x * -1;
    return square + 1 > triple && minus > 0;
}
