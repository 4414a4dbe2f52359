// expect: SAFE
/* A compare-and-swap loop that keeps the maximum. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int maximum;

static void *worker(void *argument) {
    int mine = *(int *)argument, seen = maximum;
    while (seen < mine && !atomic_compare_exchange_weak(&maximum, &seen, mine)) {
    }
    return NULL;
}

int main(void) {
    int values[3] = {4, 9, 7};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, &values[i]);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(maximum == 9);
    return 0;
}
