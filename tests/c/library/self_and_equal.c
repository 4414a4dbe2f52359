// expect: SAFE
/* Each thread has its own identity, the one that its creator was given. */
#include <assert.h>
#include <pthread.h>

static pthread_t ids[2];

static void *worker(void *argument) {
    *(pthread_t *)argument = pthread_self();
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &ids[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(pthread_equal(ids[0], threads[0]) && pthread_equal(ids[1], threads[1]));
    assert(!pthread_equal(ids[0], ids[1]));
    assert(!pthread_equal(ids[0], pthread_self()));
    return 0;
}
