// expect: SAFE
/* Readers and writers by hand: the first reader locks the writer out, the last one lets it in again. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t writing;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int readers, a, b;

static void *reader(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    if (++readers == 1) sem_wait(&writing);
    pthread_mutex_unlock(&mutex);
    assert(a == b);
    pthread_mutex_lock(&mutex);
    if (--readers == 0) sem_post(&writing);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *writer(void *unused) {
    (void)unused;
    sem_wait(&writing);
    a++;
    b++;
    sem_post(&writing);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    sem_init(&writing, 0, 1);
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, writer, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(a == 1 && b == 1);
    return 0;
}
