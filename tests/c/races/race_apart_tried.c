// expect: SAFE accesses that may conflict are ordered
// flags: -p no-data-race
// Whether the lock was taken is looked at twice.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *arg) {
    for (int i = 0; i < 100000; i++) {
        int busy = pthread_mutex_trylock(&m);
        if (!busy) x++;
        if (!busy) pthread_mutex_unlock(&m);
    }
    return arg;
}
void *g(void *arg) { return f(arg); }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return x;
}
