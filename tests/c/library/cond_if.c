// expect: UNSAFE
/* Two consumers wait with "if": both may go on after one item has come, and the second takes from an empty box. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    if (items == 0) pthread_cond_wait(&filled, &mutex);
    items--;
    assert(items >= 0);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *producer(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    items++;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, consumer, NULL);
    pthread_create(&threads[1], NULL, consumer, NULL);
    pthread_create(&threads[2], NULL, producer, NULL);
    pthread_create(&threads[3], NULL, producer, NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    return 0;
}
