// expect: SAFE
// flags: --property no-overflow
/* … unless it is not; other sums of the file are as ever. */
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), none = 0;
  if (none) return INT_MAX + 1;
  if (x < 0 || x > 100 || y < 1 || y > 100) return 0;
  return x + y * 3 - x / y - x % y;
}
