// expect: UNSAFE
/* Floating-point addition is not associative: the sum depends on who comes first. */
#include <assert.h>
#include <pthread.h>

static float sum = 1.0f;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument) {
    pthread_mutex_lock(&mutex);
    sum += *(float *)argument;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    float values[2] = {1e8f, -1e8f};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &values[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(sum == 1.0f);
    return 0;
}
