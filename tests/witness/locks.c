// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <assert.h>
int x = 0;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) {
  pthread_mutex_lock(&m);
  x = 1;
  x = 2;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  pthread_mutex_lock(&m);
  assert(x == 0);
  pthread_mutex_unlock(&m);
  return 0;
}
