// expect: SAFE
// flags: --data-model ILP32
/* Semaphore, barrier, condition and read-write lock in the 32-bit data model. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static pthread_barrier_t barrier;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *worker(void *unused) {
    (void)unused;
    sem_wait(&ready);
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&ready, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, worker, NULL);
    value = 41;
    sem_post(&ready);
    pthread_barrier_wait(&barrier);
    pthread_rwlock_rdlock(&lock);
    assert(value == 42);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
