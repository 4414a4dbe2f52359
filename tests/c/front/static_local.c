// expect: UNSAFE
/* A static local variable is shared by all threads. */
#include <assert.h>
#include <pthread.h>

static int fresh(void) {
    static int next = 10;
    return next++;
}

static void *worker(void *argument) {
    *(int *)argument = fresh();
    return NULL;
}

int main(void) {
    int ids[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &ids[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(ids[0] != ids[1]);
    return 0;
}
