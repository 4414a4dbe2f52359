// expect: UNSAFE
// flags: --property no-deadlock
// A thread ends while it holds a mutex: the handler was popped before.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void unlock(void *argument) { pthread_mutex_unlock(argument); }

static void *work(void *argument) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    n++;
    pthread_cleanup_pop(0);
    if (n == 2) pthread_exit(0);
    unlock(&mutex);
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
