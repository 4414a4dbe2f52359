// expect: SAFE
/* One barrier used for many rounds by two threads: neither is ever more than a round ahead. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int round_of[2];

static void *worker(void *argument) {
    int self = *(int *)argument;
    for (int r = 1; r <= 3; r++) {
        pthread_barrier_wait(&barrier);
        round_of[self] = r;
        int ahead = r - round_of[1 - self];
        assert(ahead >= -1 && ahead <= 1);
    }
    return NULL;
}

int main(void) {
    int numbers[2] = {0, 1};
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
