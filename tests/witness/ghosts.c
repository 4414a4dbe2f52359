// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
int x, y, flag, arr[4], *ptr = &x;
atomic_int a;
void *t(void *p) {
  int k = 0;
  pthread_mutex_lock(&m);
  x = x + 1;
  y = y + 1;
  pthread_mutex_unlock(&m);
  a++;
  if (x > 100) k = 1;
  arr[1] = 7;
  return 0;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, t, 0);
  pthread_create(&q, 0, t, 0);
  pthread_mutex_lock(&m);
  assert(x == y);
  pthread_mutex_unlock(&m);
  int i = 0;
  while (i < 3)
    i++;
  do {
    i--;
  } while (i > 0);
  for (;;) {
    if (i++ > 2) break;
  }
  pthread_join(p, 0);
  pthread_join(q, 0);
  return 0;
}
