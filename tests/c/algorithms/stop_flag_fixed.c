// expect: SAFE
/* The driver of examples/stop_flag.c with the cure: register first, then look at the flag. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool stopping, stopped;
static atomic_int pending = 1;

static void release(void) {
    if (atomic_fetch_sub(&pending, 1) == 1) stopped = true;
}

static void *request(void *unused) {
    (void)unused;
    atomic_fetch_add(&pending, 1);
    if (!stopping) assert(!stopped);
    release();
    return NULL;
}

static void *stop(void *unused) {
    (void)unused;
    stopping = true;
    release();
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, request, NULL);
    pthread_create(&threads[1], NULL, stop, NULL);
    pthread_create(&threads[2], NULL, request, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
