// expect: SAFE
/* Each thread is given a block of its own and frees it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct Task {
    int from, to;
    long sum;
} Task;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long total;

static void *worker(void *argument) {
    Task *task = argument;
    for (int i = task->from; i < task->to; i++) task->sum += i;
    pthread_mutex_lock(&mutex);
    total += task->sum;
    pthread_mutex_unlock(&mutex);
    free(task);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        Task *task = malloc(sizeof *task);
        *task = (Task){.from = 2 * i, .to = 2 * i + 2};
        pthread_create(&threads[i], NULL, worker, task);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(total == 6);
    return 0;
}
