// expect: SAFE note: assuming
// flags: --no-spurious-wakeups
// A signal wakes one thread: who begins to wait after it, waits. A signal that nobody waits for is lost.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int signals, woken;

static void *waiter(void *argument) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    woken++;
    assert(woken <= signals);
    pthread_mutex_unlock(&m);
    return argument;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, waiter, 0);
    pthread_create(&u, 0, waiter, 0);
    pthread_mutex_lock(&m);
    signals++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
