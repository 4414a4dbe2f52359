// expect: UNSAFE deadlock: a thread waits for a lock that it holds itself
// flags: -p no-deadlock
/* A reader that wants to write waits for itself, while others go on. */
#include <pthread.h>
#include <unistd.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
void *read_only(void *p) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    return p;
}
void *upgrade(void *p) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, read_only, 0);
    pthread_create(&t, 0, upgrade, 0);
    while (1) sleep(1);
}
