// expect: UNSAFE
/* Locking a recursive mutex twice does not block: what follows is reached. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int main(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    assert(0);
}
