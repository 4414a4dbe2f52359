// A wait that expires says nothing about the flag.
// broken: unreach-call
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *a) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return a;
}

int main(void) {
    pthread_t t;
    struct timespec until;
    int error = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    while (!ready && error != ETIMEDOUT) error = pthread_cond_timedwait(&changed, &lock, &until);
#ifdef BROKEN
    assert(ready);
#else
    assert(ready || error == ETIMEDOUT);
#endif
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
