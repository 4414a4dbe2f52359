// expect: UNSAFE
/* Which thread is the serial one is not specified: it need not be the one that came last. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int arrived;

static void *worker(void *unused) {
    (void)unused;
    int place = atomic_fetch_add(&arrived, 1);
    int result = pthread_barrier_wait(&barrier);
    if (place == 0) assert(result == 0);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
