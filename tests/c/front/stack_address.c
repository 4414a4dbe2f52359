// expect: SAFE
/* A thread works on a local variable of main, which waits for it. */
#include <assert.h>
#include <pthread.h>

static void *worker(void *argument) {
    int *cell = argument;
    *cell += 1;
    return argument;
}

static int run(int start) {
    int local = start;
    void *result;
    pthread_t thread;
    pthread_create(&thread, NULL, worker, &local);
    pthread_join(thread, &result);
    assert(result == &local);
    return local;
}

int main(void) {
    assert(run(1) + run(10) == 13);
    return 0;
}
