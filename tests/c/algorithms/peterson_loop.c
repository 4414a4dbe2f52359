// expect: SAFE
/* Peterson's protocol, entered for ever by both threads: no end, but finitely many states. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void *worker(void *argument) {
    int self = *(int *)argument, other = 1 - self;
    for (;;) {
        wants[self] = 1;
        turn = other;
        while (wants[other] && turn == other) {
        }
        inside++;
        assert(inside == 1);
        inside--;
        wants[self] = 0;
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
