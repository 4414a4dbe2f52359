// expect: UNSAFE
/* A fresh block holds anything, also what the assertion forbids. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *cell;

static void *worker(void *unused) {
    (void)unused;
    assert(*cell != 7);
    return NULL;
}

int main(void) {
    pthread_t thread;
    cell = malloc(sizeof *cell);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
