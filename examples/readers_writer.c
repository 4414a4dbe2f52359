// expect: SAFE
/* A table behind a read-write lock: the readers may look at it together, and never see a half-done change. */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int debit = 5, credit = 5;

static void *writer(void *unused) {
    (void)unused;
    pthread_rwlock_wrlock(&lock);
    debit += 3;
    credit += 3;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    assert(debit == credit);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    pthread_create(&threads[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
