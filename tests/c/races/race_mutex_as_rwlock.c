// expect: SAFE
// flags: -p no-data-race
// A mutex that is taken for a read-write lock is one beside itself.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *f(void *arg) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    pthread_rwlock_wrlock((pthread_rwlock_t *)&m);
    y++;
    pthread_rwlock_unlock((pthread_rwlock_t *)&m);
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
