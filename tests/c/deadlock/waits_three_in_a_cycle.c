// expect: UNSAFE deadlock: threads wait for each other's locks
// flags: -p no-deadlock -e impact
/* Three threads wait for each other's locks, while main runs on. */
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
int x;
void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}
void *f(void *p) {
    both(&a, &b);
    return p;
}
void *g(void *p) {
    both(&b, &c);
    return p;
}
void *h(void *p) {
    both(&c, &a);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_create(&t, 0, g, 0);
    pthread_create(&t, 0, h, 0);
    while (1) x = !x;
}
