// expect: SAFE
// flags: -e redcomp
/* An error-checking mutex: its owner is told, and others cannot unlock it. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m;
static int inside;
static void *worker(void *arg) {
  int mine = pthread_mutex_lock(&m) == 0;
  assert(pthread_mutex_lock(&m) == EDEADLK);
  inside++;
  assert(mine && inside == 1);
  inside--;
  assert(pthread_mutex_unlock(&m) == 0);
  pthread_mutex_unlock(&m); /* EPERM, or it would let two in */
  return arg;
}
int main(void) {
  pthread_mutexattr_t checked;
  pthread_mutexattr_init(&checked);
  pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
  if (pthread_mutex_init(&m, &checked)) return 1;
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
