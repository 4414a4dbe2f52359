// expect: SAFE
/* Peterson's protocol for three threads: two levels, each holding one thread back. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { THREADS = 3 };
static atomic_int level[THREADS], last[THREADS];
static atomic_int inside;

static bool others_at(int self, int l) {
    for (int k = 0; k < THREADS; k++)
        if (k != self && level[k] >= l) return true;
    return false;
}

static void *worker(void *argument) {
    int self = (int)(long)argument;
    for (int l = 1; l < THREADS; l++) {
        level[self] = l;
        last[l] = self;
        while (last[l] == self && others_at(self, l)) {
        }
    }
    assert(inside == 0);
    inside = 1;
    inside = 0;
    level[self] = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return 0;
}
