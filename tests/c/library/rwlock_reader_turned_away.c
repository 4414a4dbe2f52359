// expect: UNKNOWN a reader is turned away only if a writer waits
/* Where a writer waits, a lock that others read may be refused to a reader. */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *unused) {
    (void)unused;
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&thread, NULL, writer, NULL);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    return 0;
}
