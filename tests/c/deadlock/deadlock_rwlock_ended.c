// expect: UNSAFE deadlock: a thread waits for a lock whose holder has ended
// flags: -p no-deadlock -e redcomp
/* A thread ends that holds the lock, while main goes on. */
#include <pthread.h>
#include <unistd.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
void *lock(void *p) {
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return p;
}
void *lock_and_end(void *p) {
    pthread_rwlock_wrlock(&l);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, lock, 0);
    pthread_create(&t, 0, lock_and_end, 0);
    while (1) sleep(1);
}
