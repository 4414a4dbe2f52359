// expect: UNSAFE p != 0 fails
/* No object is larger than pointers into it can be apart. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  size_t n = __VERIFIER_nondet_ulong();
  if (n <= SIZE_MAX / 2) return 0;
  char *p = malloc(n);
  assert(p != 0);
}
