// expect: SAFE note: assuming that there are no spurious wake-ups (--no-spurious-wakeups)
// flags: --no-spurious-wakeups
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t *c;
int ready, passed;

static void *waiter(void *argument) {
    pthread_mutex_lock(&m);
    if (!ready) pthread_cond_wait(c, &m);
    assert(ready);
    passed++;
    pthread_mutex_unlock(&m);
    return argument;
}

int main(void) {
    pthread_t t, u;
    c = malloc(sizeof *c);
    pthread_cond_init(c, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_create(&u, NULL, waiter, NULL);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_broadcast(c);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(passed == 2);
    return 0;
}
