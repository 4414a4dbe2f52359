// expect: SAFE
/* A recursive mutex is free again after as many unlocks as locks. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int counter;

static void add(int n) {
    pthread_mutex_lock(&mutex);
    int seen = counter;
    if (n > 1) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    counter = seen + n;
    pthread_mutex_unlock(&mutex);
}

static void *worker(void *unused) {
    (void)unused;
    add(2);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t thread;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    pthread_create(&thread, NULL, worker, NULL);
    add(1);
    add(2);
    pthread_join(thread, NULL);
    assert(counter == 5);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return 0;
}
