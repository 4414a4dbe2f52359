// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
int x, y;
void *t(void *a) {
  x = 1;
  y = 2;
  return a;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, t, 0);
  pthread_create(&q, 0, t, 0);
  x = 3;
  pthread_join(p, 0);
  pthread_join(q, 0);
  return y;
}
