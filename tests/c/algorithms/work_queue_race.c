// expect: UNSAFE
/* The end of the list is checked without the lock: a worker may take a job that is not there. */
#include <assert.h>
#include <pthread.h>

enum { JOBS = 2 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int next_job;

static void *worker(void *unused) {
    (void)unused;
    while (next_job < JOBS) {
        pthread_mutex_lock(&mutex);
        int job = next_job++;
        pthread_mutex_unlock(&mutex);
        assert(job < JOBS);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
