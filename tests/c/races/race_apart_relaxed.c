// expect: SAFE accesses that may conflict are ordered
// flags: -p no-data-race
// A relaxed counter orders nothing, and need not: locks do.
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int count;
int x;
void *f(void *arg) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
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
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
