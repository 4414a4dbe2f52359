// expect: UNSAFE deadlock
// flags: --property no-deadlock
/* The same kind, by an attribute. */
#define _GNU_SOURCE
#include <pthread.h>
static pthread_rwlock_t l;
static void *writer(void *a) {
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_unlock(&l);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_rwlockattr_t kind;
  pthread_rwlockattr_init(&kind);
  pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&l, &kind);
  pthread_create(&t, 0, writer, 0);
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_join(t, 0);
}
