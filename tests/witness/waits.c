// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
int x, y; unsigned u; signed char c; long big; int arr[3];
struct { int a; unsigned char b; } st;
sem_t sem;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
void *t(void *p) {
  x = 1; y = 1;
  u = u - 1;
  c = 100;
  arr[1] = 5;
  st.b = 200;
  sem_post(&sem);
  pthread_mutex_lock(&m);
  x = 2;
  x = 3;
  pthread_cond_signal(&cv);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t p;
  int i;
  sem_init(&sem, 0, 0);
  pthread_create(&p, 0, t, 0);
  sem_wait(&sem);
  pthread_mutex_lock(&m);
  while (x < 2)
    pthread_cond_wait(&cv, &m);
  pthread_mutex_unlock(&m);
  for (i = 0; i < 3; i++) y = y + 1;
  pthread_join(p, 0);
  assert(y != 4);
  return 0;
}
