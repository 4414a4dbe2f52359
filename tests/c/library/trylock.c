// expect: SAFE
/* Whoever gets the lock works, the others count that they did not. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int worked;
static atomic_int gave_up;

static void *worker(void *unused) {
    (void)unused;
    int error = pthread_mutex_trylock(&mutex);
    assert(error == 0 || error == EBUSY);
    if (error != 0) {
        gave_up++;
        return NULL;
    }
    worked++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(worked + gave_up == 3 && worked >= 1);
    return 0;
}
