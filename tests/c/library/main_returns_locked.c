// expect: SAFE
/* The thread needs a lock that main holds until the process ends. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *blocked(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    assert(0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, blocked, NULL);
    return 0;
}
