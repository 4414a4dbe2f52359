// expect: UNSAFE no-deadlock
/* A signal is not kept for those who come late. The consumer looks whether there is something, and waits if not; the
   producer does not take the lock, so its signal may fall between the two. Nobody waits for it yet, and the consumer
   then waits for ever. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_int items;

static void *producer(void *unused) {
    (void)unused;
    items = 1;
    pthread_cond_signal(&ready);
    return NULL;
}

static void *consumer(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    while (items == 0) pthread_cond_wait(&ready, &lock);
    items = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, producer, NULL);
    pthread_create(&second, NULL, consumer, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
