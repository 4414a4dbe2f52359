// expect: UNSAFE
/* Peterson's protocol where each thread gives the turn to itself. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int owner = -1;

static void *worker(void *argument) {
    int self = *(int *)argument, other = 1 - self;
    wants[self] = 1;
    turn = self;
    while (wants[other] && turn == other) {
    }
    owner = self;
    assert(owner == self);
    wants[self] = 0;
    return NULL;
}

int main(void) {
    int numbers[2] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
