// expect: UNSAFE
/* Writing under the read lock: readers share it. */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock;
static int counter;

static void *worker(void *unused) {
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    counter++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_rwlock_init(&lock, NULL);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
