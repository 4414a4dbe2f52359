// expect: SAFE
/* Peterson's mutual exclusion for two threads. The variables are C11 atomics: without them compiler and processor may
   reorder the accesses, and the protocol fails. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void lock(int self) {
    int other = 1 - self;
    wants[self] = 1;
    turn = other;
    while (wants[other] && turn == other) {
    }
}

static void unlock(int self) { wants[self] = 0; }

static void *worker(void *argument) {
    int self = *(int *)argument;
    lock(self);
    inside++;
    assert(inside == 1);
    inside--;
    unlock(self);
    return NULL;
}

int main(void) {
    int numbers[2] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
