// expect: SAFE
/* The flag is set without the mutex, so the signal may come between the test and the wait and be lost. The program
   may then hang; no assertion fails. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waiter(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    while (!ready) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    assert(ready == 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_join(thread, NULL);
    return 0;
}
