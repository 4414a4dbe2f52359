// expect: UNSAFE data race
// flags: -p no-data-race
// The lock is released before the result is looked at again.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *arg) {
    int busy = pthread_mutex_trylock(&m);
    if (!busy) pthread_mutex_unlock(&m);
    if (!busy) x++;
    return arg;
}
void *g(void *arg) { return f(arg); }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
