// expect: SAFE
// flags: --property no-deadlock
// Of two that wait for a condition variable one is cancelled; the other gets the signal.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void unlock(void *argument) { pthread_mutex_unlock(argument); }
static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    while (!ready) pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_cancel(a);
    pthread_join(a, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(b, NULL);
    return 0;
}
