// expect: SAFE
/* In each round exactly one of the three threads is told that it is the serial one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int serial;

static void *worker(void *unused) {
    (void)unused;
    int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 3);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    worker(NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(serial == 1);
    return 0;
}
