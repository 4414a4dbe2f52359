// expect: SAFE
// flags: --data-model ILP32
/* With 32-bit data, long and pointers have four bytes, and longs wrap earlier. */
#include <assert.h>
#include <pthread.h>

static unsigned long counter = 0xffffffff;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(counter == 1);
    return 0;
}
