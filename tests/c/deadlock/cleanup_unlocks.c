// expect: SAFE
// flags: --property no-deadlock
// The handler of a thread that ends while it holds a mutex unlocks it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void unlock(void *argument) { pthread_mutex_unlock(argument); }

static void *work(void *argument) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    if (n++) pthread_exit(0);
    pthread_cleanup_pop(1);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
