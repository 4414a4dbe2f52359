// expect: SAFE
/* The right way to wait: with the mutex held, in a loop. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;
static int value;

static void *waiter(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    while (!ready) pthread_cond_wait(&changed, &mutex);
    assert(value == 42);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, waiter, NULL);
    pthread_create(&second, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    value = 42;
    ready = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
