// expect: SAFE
// flags: --property no-deadlock
/* One that reads once is only kept out until the writer is done. */
#define _GNU_SOURCE
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static void *writer(void *a) {
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_unlock(&l);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_join(t, 0);
}
