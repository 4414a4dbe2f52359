// expect: UNSAFE
/* The error needs all of the threads: main looks only when it has created every one of them. */
#include <assert.h>
#include <pthread.h>

enum { N = 3000 };
static int entered;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument) {
    pthread_mutex_lock(&mutex);
    entered++;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    entered--;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, worker, 0);
    pthread_mutex_lock(&mutex);
    assert(entered == 0);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
    return 0;
}
