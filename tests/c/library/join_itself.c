// expect: UNSAFE
/* A thread that waits for its own end may be told so. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_t thread;
static pthread_mutex_t stored = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&stored);
    assert(pthread_join(thread, NULL) != EDEADLK);
    return NULL;
}

int main(void) {
    pthread_mutex_lock(&stored);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_unlock(&stored);
    pthread_exit(NULL);
}
