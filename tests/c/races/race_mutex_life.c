// expect: SAFE
// flags: -p no-data-race
/* Made before the threads, used, destroyed after the join, or once its last user has released it. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m, n;
static int x, left = 2;
static void *worker(void *a) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&n);
    int last = --left == 0;
    pthread_mutex_unlock(&n);
    if (last) pthread_mutex_destroy(&n);
    return a;
}
int main(void) {
    pthread_t t, u;
    pthread_mutex_init(&m, 0);
    pthread_mutex_init(&n, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_mutex_destroy(&m);
}
