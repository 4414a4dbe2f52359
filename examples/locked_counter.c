// expect: SAFE
/* The counter of lost_update.c with a mutex around the increment: every interleaving ends with 2. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *increment(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2);
    return 0;
}
