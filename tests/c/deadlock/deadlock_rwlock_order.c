// expect: SAFE
// flags: -p no-deadlock
/* A read-write lock and a mutex in one order, while main goes on. */
#include <pthread.h>
#include <unistd.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *p) {
    pthread_rwlock_rdlock(&l);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_rwlock_unlock(&l);
    return p;
}
void *g(void *p) {
    pthread_rwlock_wrlock(&l);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_rwlock_unlock(&l);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_create(&t, 0, g, 0);
    while (1) sleep(1);
}
