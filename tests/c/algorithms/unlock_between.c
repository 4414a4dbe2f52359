// expect: UNSAFE
/* The lock is given back between reading and writing. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    int seen = counter;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    counter = seen + 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
