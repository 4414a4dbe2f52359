// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
int x, y;
extern int __VERIFIER_nondet_int(void);
void *t(void *a) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  if (x == 1)
    y = 1;
  int l = __VERIFIER_nondet_int();
  if (l > 3) {
    y = y + 1;
  }
  assert(y != 2 && y != 0);
  return 0;
}
