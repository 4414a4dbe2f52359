// expect: UNKNOWN whether a reader gets in while a writer waits is left open by POSIX; with glibc it does [H1005]
// flags: --property no-deadlock
/* … with the usual kind glibc lets it in; POSIX leaves it open. */
#define _GNU_SOURCE
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static void *writer(void *a) {
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_unlock(&l);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_join(t, 0);
}
