// expect: SAFE
/* … but it is stored when the call returns. */
#include <assert.h>
#include <pthread.h>

static pthread_t thread;
static pthread_mutex_t stored = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&stored);
    assert(pthread_equal(thread, pthread_self()));
    pthread_mutex_unlock(&stored);
    return NULL;
}

int main(void) {
    pthread_mutex_lock(&stored);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_unlock(&stored);
    pthread_join(thread, NULL);
    return 0;
}
