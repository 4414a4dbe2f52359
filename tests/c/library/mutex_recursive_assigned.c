// expect: SAFE
/* A static initialiser used as a value: it is stored field by field, then copied. The mutex is a recursive one. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct Box {
    int x;
    pthread_mutex_t mutex;
} Box;

static Box *box;

static void *worker(void *unused) {
    (void)unused;
    assert(pthread_mutex_lock(&box->mutex) == 0);
    assert(pthread_mutex_trylock(&box->mutex) == 0);
    assert(++box->x == 1);
    box->x = 0;
    pthread_mutex_unlock(&box->mutex);
    pthread_mutex_unlock(&box->mutex);
    return NULL;
}

int main(void) {
    Box first = {0, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};
    box = malloc(sizeof *box);
    *box = first;
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    return 0;
}
