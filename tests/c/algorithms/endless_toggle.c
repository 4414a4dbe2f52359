// expect: SAFE
/* Threads that never end, with finitely many states. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int left, right;

static void *toggler(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        left = 1 - left;
        right = 1 - right;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, toggler, NULL);
    for (;;) {
        pthread_mutex_lock(&mutex);
        assert(left == right);
        pthread_mutex_unlock(&mutex);
    }
}
