// expect: UNSAFE pool#1->shutdown: 0 → 1
// flags: --layout lines
// The parts of an allocation are called as the program calls them, by the type that it is used as.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct pool {
    long jobs[16];
    int shutdown;
} pool_t;

static void *checked_malloc(size_t n) {
    void *p = malloc(n);
    if (!p) abort();
    return p;
}

static void *worker(void *argument) {
    pool_t *p = argument;
    p->shutdown = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pool_t *pool = checked_malloc(sizeof *pool);
    pool->shutdown = 0;
    pthread_create(&t, NULL, worker, pool);
    pthread_join(t, NULL);
    assert(!pool->shutdown);
    return 0;
}
