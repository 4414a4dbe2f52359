// expect: UNSAFE
// flags: --property unreach-call
// pthread_once calls a function in the section of the write lock. Its own request for the lock may fail with EDEADLK.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init(void) {
    int error = pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    assert(error == 0);
}

int main(void) {
    pthread_rwlock_wrlock(&l);
    pthread_once(&once, init);
    pthread_rwlock_unlock(&l);
    return 0;
}
