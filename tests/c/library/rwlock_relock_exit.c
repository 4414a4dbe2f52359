// expect: UNSAFE
// flags: --property unreach-call
// exit calls a function in the section of the write lock. Its own request for the lock may fail with EDEADLK.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void last(void) {
    int error = pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    assert(error == 0);
}

int main(void) {
    atexit(last);
    pthread_rwlock_wrlock(&l);
    exit(0);
    pthread_rwlock_unlock(&l);
    return 0;
}
