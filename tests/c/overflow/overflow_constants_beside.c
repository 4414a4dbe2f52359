// expect: UNSAFE does not fit into 32 bits
// flags: --property no-overflow
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), none = 0;
  if (none) return INT_MAX + 1;
  if (x == -1) return 0;
  return x == INT_MIN ? x / (x + INT_MAX) : 0; /* -1: it does not fit */
}
