// The read of x++ is an event of its own: another thread may write between it and the write.
// broken: unreach-call no-data-race
// flags: --runs 1000
#include <assert.h>
#include <pthread.h>

static int x, y;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *a) {
#ifndef BROKEN
    pthread_mutex_lock(&lock);
#endif
    y = 1;
    x = 5;
#ifndef BROKEN
    pthread_mutex_unlock(&lock);
#endif
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
#ifndef BROKEN
    pthread_mutex_lock(&lock);
#endif
    int seen = y;
    x++;
    assert(!(seen == 0 && x == 6));
#ifndef BROKEN
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(t, NULL);
    return 0;
}
