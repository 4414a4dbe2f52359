// expect: SAFE
// flags: --property no-data-race
// The handler has the mutex; the end of the thread orders what it did.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int x;

static void clean(void *argument) {
    x = 2;
    pthread_mutex_unlock(argument);
}
static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(clean, &mutex);
    while (x != 3) pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    x = 1;
    pthread_mutex_unlock(&mutex);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    x = 0;
    return 0;
}
