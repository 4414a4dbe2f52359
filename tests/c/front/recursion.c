// expect: SAFE
/* A recursive function in two threads, each with its own frames. */
#include <assert.h>
#include <pthread.h>

static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

static void *worker(void *argument) {
    int *cell = argument;
    *cell = factorial(*cell);
    return NULL;
}

int main(void) {
    int cells[2] = {3, 4};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &cells[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(cells[0] == 6 && cells[1] == 24);
    return 0;
}
