// A cancelled wait takes the mutex again before the clean-up handler runs.
// broken: no-deadlock
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void clean_up(void *a) {
    (void)a;
#ifndef BROKEN
    pthread_mutex_unlock(&lock);
#endif
}

static void *work(void *a) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(clean_up, NULL);
    for (;;) pthread_cond_wait(&never, &lock);
    pthread_cleanup_pop(1);
    return a;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return result != PTHREAD_CANCELED;
}
