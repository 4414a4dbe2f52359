// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <assert.h>
int x = 0;
void *t(void *a) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  pthread_join(p, 0);
  assert(x == 0);
  return 0;
}
