// expect: SAFE
// flags: -e redcomp
/* The owner of a recursive mutex locks it again: inside there is still nobody else. */
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
  x++;
  inner();
  assert(x == y);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &recursive);
  for (;;) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
  }
}
