// A checked mutex reports what a normal one does not allow.
// broken: unreach-call
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *unlock(void *a) {
    int error = pthread_mutex_unlock(&lock);
#ifdef BROKEN
    assert(!error);
#else
    assert(error == EPERM);
#endif
    return a;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &a);
    pthread_mutex_lock(&lock);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    pthread_create(&t, NULL, unlock, NULL);
    pthread_join(t, NULL);
    return pthread_mutex_unlock(&lock);
}
