// expect: UNSAFE
/* A timed lock may time out. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done[2];

static void *worker(void *argument) {
    struct timespec deadline = {0, 0};
    if (pthread_mutex_timedlock(&mutex, &deadline) == 0) {
        done[*(int *)argument] = 1;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    int numbers[2] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(done[0] && done[1]);
    return 0;
}
