// expect: UNSAFE
/* Double-checked initialisation that publishes the pointer before the object is ready. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int storage;
static _Atomic(int *) instance;

static int *get(void) {
    if (instance == NULL) {
        pthread_mutex_lock(&mutex);
        if (instance == NULL) {
            instance = &storage;
            storage = 42;
        }
        pthread_mutex_unlock(&mutex);
    }
    return instance;
}

static void *worker(void *unused) {
    (void)unused;
    assert(*get() == 42);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
