// expect: UNSAFE unlock of a read-write lock that the thread does not hold
// flags: -p valid-memsafety
/* Another thread holds it, and this one another lock. */
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER, k = PTHREAD_RWLOCK_INITIALIZER;
static void *worker(void *a) {
    pthread_rwlock_rdlock(&k);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&k);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_rwlock_rdlock(&l);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
}
