// expect: UNSAFE
/* Hyman's "simplification" of Dekker's protocol (1966), published and wrong. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void *worker(void *argument) {
    int self = *(int *)argument, other = 1 - self;
    wants[self] = 1;
    while (turn != self) {
        while (wants[other]) {
        }
        turn = self;
    }
    assert(inside == 0);
    inside = 1;
    inside = 0;
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
