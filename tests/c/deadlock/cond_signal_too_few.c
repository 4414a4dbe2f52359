// expect: UNSAFE
// flags: -p no-deadlock --no-spurious-wakeups
// Three threads wait, and two of them get a signal. A loop creates the threads.
#include <pthread.h>

enum { THREADS = 3 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    waiting++;
    pthread_cond_wait(&go, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    while (waiting < THREADS) {
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&mutex);
    }
    for (int i = 1; i < THREADS; i++) pthread_cond_signal(&go);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return 0;
}
