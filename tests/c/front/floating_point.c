// expect: SAFE
/* Floating point, computed exactly as the machine would. */
#include <assert.h>
#include <pthread.h>

static double sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument) {
    double x = *(double *)argument;
    pthread_mutex_lock(&mutex);
    sum += x * x;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    double values[2] = {1.5, -0.25};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &values[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(sum == 2.3125);
    assert((int)(sum * 100) == 231);
    assert(0.1f + 0.2f != 0.25f && 1.0 / 3.0 < 0.3334);
    return 0;
}
