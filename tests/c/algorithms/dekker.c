// expect: SAFE
/* Dekker's mutual exclusion, each thread entering twice. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void enter(int self) {
    int other = 1 - self;
    wants[self] = 1;
    while (wants[other]) {
        if (turn != self) {
            wants[self] = 0;
            while (turn != self) {
            }
            wants[self] = 1;
        }
    }
}

static void leave(int self) {
    turn = 1 - self;
    wants[self] = 0;
}

static void *worker(void *argument) {
    int self = *(int *)argument;
    for (int i = 0; i < 2; i++) {
        enter(self);
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
        leave(self);
    }
    return NULL;
}

int main(void) {
    int numbers[2] = {0, 1};
    pthread_t first, second;
    pthread_create(&first, NULL, worker, &numbers[0]);
    pthread_create(&second, NULL, worker, &numbers[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
