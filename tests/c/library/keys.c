// expect: SAFE
/* Thread-specific data: each thread has its own value under each key, NULL at first. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t name, score;

static void *worker(void *argument) {
    assert(pthread_getspecific(name) == NULL);
    pthread_setspecific(name, argument);
    pthread_setspecific(score, (char *)argument + 1);
    assert(pthread_getspecific(name) == argument);
    assert(pthread_getspecific(score) == (char *)argument + 1);
    return NULL;
}

int main(void) {
    static char texts[2][4] = {"ab", "cd"};
    pthread_t threads[2];
    pthread_key_create(&name, NULL);
    pthread_key_create(&score, NULL);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, texts[i]);
    assert(pthread_getspecific(name) == NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    pthread_key_delete(name);
    return 0;
}
