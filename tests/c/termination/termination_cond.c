// expect: SAFE Every execution ends
// flags: --property termination --second-solver
// A wait may end by itself, but not without end.
#include <pthread.h>
pthread_mutex_t m;
pthread_cond_t c;
int ready;
void *waiter(void *arg) {
    pthread_mutex_lock(&m);
    while (!ready) pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
