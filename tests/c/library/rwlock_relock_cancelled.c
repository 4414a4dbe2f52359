// expect: UNSAFE
// flags: --property unreach-call
// A thread is cancelled in the section of the write lock. The request of its cleanup handler for the lock may fail with EDEADLK.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static sem_t s;

static void clean(void *unused) {
    int error = pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    assert(error == 0);
    (void)unused;
}

static void *work(void *unused) {
    pthread_cleanup_push(clean, NULL);
    pthread_rwlock_wrlock(&l);
    sem_wait(&s);
    pthread_rwlock_unlock(&l);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    return 0;
}
