// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>
int *p, done;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) {
  pthread_mutex_lock(&m);
  if (!done)
    *p = 2;
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t x;
  p = malloc(sizeof *p);
  pthread_create(&x, 0, t, 0);
  free(p);
  pthread_mutex_lock(&m);
  done = 1;
  pthread_mutex_unlock(&m);
  pthread_join(x, 0);
  return 0;
}
