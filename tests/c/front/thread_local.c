// expect: SAFE
/* Each thread has its own copy of a _Thread_local variable; a pointer to it can be lent to others. */
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine = 5;
static int total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument) {
    int *of_main = argument;
    assert(mine == 5 && of_main != &mine);
    for (int i = 0; i < 3; i++) mine++;
    pthread_mutex_lock(&mutex);
    total += mine;
    (*of_main)++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    mine = 0;
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &mine);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(mine == 2 && total == 16);
    return 0;
}
