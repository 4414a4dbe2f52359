// broken: no-deadlock
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *work(void *x) {
#ifdef BROKEN
    both(&b, &a);
#else
    both(&a, &b);
#endif
    return x;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    both(&a, &b);
    pthread_join(t, NULL);
    return 0;
}
