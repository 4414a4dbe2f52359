// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int twice(int n) {
  return n + n;
}
int x;
void *t(void *a) {
  x = 1 << 30;
  return a;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  int i = __VERIFIER_nondet_int();
  if (i != 4)
    x = twice(x);
  pthread_join(p, 0);
  return 0;
}
