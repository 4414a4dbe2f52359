// expect: SAFE
/* … but does not get it, nor does anybody else meanwhile. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *other(void *unused) {
    (void)unused;
    if (pthread_rwlock_wrlock(&lock) == 0) {
        x = 1;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    pthread_rwlock_wrlock(&lock);
    x = 2;
    assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
    assert(x == 2);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
