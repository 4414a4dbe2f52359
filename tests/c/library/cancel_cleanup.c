// expect: SAFE
// A thread that waits for a condition variable is cancelled: it has the mutex again when its handler runs, and ends.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int held, handled;

static void release(void *argument) {
    assert(held == 0);
    handled = 1;
    pthread_mutex_unlock(argument);
}
static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(release, &mutex);
    for (;;) pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    held = 1;
    held = 0;
    pthread_mutex_unlock(&mutex);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(handled);
    assert(result == PTHREAD_CANCELED);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
