// One thread waits, and only a spurious wake-up finds it unprepared.
// broken: unreach-call
// flags: --runs 1000
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *a) {
    pthread_mutex_lock(&lock);
#ifdef BROKEN
    if (!ready) pthread_cond_wait(&changed, &lock);
#else
    while (!ready) pthread_cond_wait(&changed, &lock);
#endif
    assert(ready);
    pthread_mutex_unlock(&lock);
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
