// expect: UNSAFE data race
// flags: -p no-data-race
// A mutex is initialised while it is held.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *arg) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}
void *g(void *arg) { return f(arg); }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_mutex_init(&m, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
