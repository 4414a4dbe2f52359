// expect: UNSAFE
/* Who holds a lock for writing and asks for it again may be told so. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_wrlock(&lock);
    assert(pthread_rwlock_rdlock(&lock) != EDEADLK);
    return 0;
}
