// expect: SAFE
/* Trying a read-write lock: readers together, a writer alone, EBUSY otherwise. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int writers, value;

static void *writer(void *unused) {
    (void)unused;
    if (pthread_rwlock_trywrlock(&lock) == 0) {
        writers++;
        value = 1;
        value = 2;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_rwlock_rdlock(&lock);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    pthread_rwlock_unlock(&lock);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    pthread_rwlock_unlock(&lock);
    pthread_create(&first, NULL, writer, NULL);
    pthread_create(&second, NULL, writer, NULL);
    if (pthread_rwlock_tryrdlock(&lock) == 0) {
        assert(value != 1);
        pthread_rwlock_unlock(&lock);
    }
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(writers <= 2 && (writers == 0 || value == 2));
    return 0;
}
