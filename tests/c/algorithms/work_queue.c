// expect: SAFE
/* Two workers take jobs from a list under a lock: each job is done once. */
#include <assert.h>
#include <pthread.h>

enum { JOBS = 3 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int next_job, done[JOBS];

static int take(void) {
    pthread_mutex_lock(&mutex);
    int job = next_job < JOBS ? next_job++ : -1;
    pthread_mutex_unlock(&mutex);
    return job;
}

static void *worker(void *unused) {
    (void)unused;
    for (int job; (job = take()) >= 0;) done[job]++;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < JOBS; i++) assert(done[i] == 1);
    return 0;
}
