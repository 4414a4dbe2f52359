// expect: SAFE
// flags: -p valid-memsafety
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER, k;
static int x;
static void *worker(void *a) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_rdlock(&l);
    if (pthread_rwlock_trywrlock(&k) == 0) pthread_rwlock_unlock(&k);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_wrlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_rwlock_init(&k, 0);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    pthread_rwlock_destroy(&k);
    pthread_rwlock_destroy(&l);
}
