// expect: UNKNOWN malloc may use an address again [H0743]
// flags: -e redcomp
/* A freed address, kept as a number, may be that of new memory: told by subtraction or bit operations as by a comparison. */
#include <pthread.h>
#include <stdlib.h>
#include <stdint.h>
extern void reach_error(void);
int *q; uintptr_t n;
int main(void) {
  int *p = malloc(4); n = (uintptr_t)p; free(p);
  q = malloc(4);
  if ((uintptr_t)q - n == 0) reach_error();
  if (((uintptr_t)q ^ n) == 0) reach_error();
  return 0;
}
