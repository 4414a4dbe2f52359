// expect: SAFE
/* Lamport's fast mutual exclusion: without contention a thread enters after a fixed number of accesses. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 2 };
static atomic_int trying[THREADS + 1], x, y;
static int inside;

static void enter(int self) {
start:
    trying[self] = 1;
    x = self;
    if (y != 0) {
        trying[self] = 0;
        while (y != 0) {
        }
        goto start;
    }
    y = self;
    if (x != self) {
        trying[self] = 0;
        for (int j = 1; j <= THREADS; j++)
            while (trying[j]) {
            }
        if (y != self) {
            while (y != 0) {
            }
            goto start;
        }
    }
}

static void leave(int self) {
    y = 0;
    trying[self] = 0;
}

static void *worker(void *argument) {
    int self = *(int *)argument;
    enter(self);
    inside++;
    assert(inside == 1);
    inside--;
    leave(self);
    return NULL;
}

int main(void) {
    int numbers[THREADS] = {1, 2};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return 0;
}
