// expect: SAFE
/* Locking a normal mutex twice blocks for ever: what follows is never reached. A deadlock is no failed assertion. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    assert(0);
}
