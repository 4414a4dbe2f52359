// expect: UNSAFE assertion ready fails
// flags: --no-spurious-wakeups
// A wait with a time-out may end by that.
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

static void *worker(void *argument) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return argument;
}

int main(void) {
    pthread_t t;
    struct timespec until = {0};
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    int error = ready ? 0 : pthread_cond_timedwait(&c, &m, &until);
    if (!error) assert(ready);
    else __builtin_expect(error, 110);
    assert(ready);
    pthread_mutex_unlock(&m);
    return 0;
}
