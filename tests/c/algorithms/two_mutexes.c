// expect: UNSAFE
/* Each thread locks, but not the same mutex. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t red = PTHREAD_MUTEX_INITIALIZER, blue = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *mutex) {
    pthread_mutex_lock(mutex);
    counter++;
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, worker, &red);
    pthread_create(&second, NULL, worker, &blue);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2);
    return 0;
}
