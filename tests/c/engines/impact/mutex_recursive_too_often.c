// expect: UNSAFE
// flags: -e impact
/* Unlocked as often as locked, the mutex is free, and the next thread comes in too early. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m;
static int x, y;
static void inner(void) {
  pthread_mutex_lock(&m);
  y++;
  pthread_mutex_unlock(&m);
}
static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  x = x + 1;
  inner();
  pthread_mutex_unlock(&m);
  assert(x == y);
  return arg;
}
int main(void) {
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &recursive);
  for (int i = 0; i < 2; i++) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
  }
}
