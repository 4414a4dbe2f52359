// expect: SAFE
/* An array whose length is known at run time only, filled by threads. */
#include <assert.h>
#include <pthread.h>

static void *worker(void *argument) {
    int *cell = argument;
    *cell = *cell * 10;
    return NULL;
}

static int run(int n) {
    int cells[n], sum = 0;
    pthread_t threads[n];
    for (int i = 0; i < n; i++) {
        cells[i] = i + 1;
        pthread_create(&threads[i], NULL, worker, &cells[i]);
    }
    for (int i = 0; i < n; i++) {
        pthread_join(threads[i], NULL);
        sum += cells[i];
    }
    return sum;
}

int main(void) {
    assert(run(2) == 30);
    return 0;
}
