// broken: no-overflow
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int parts;

static void *set(void *a) {
    pthread_mutex_lock(&lock);
    parts = 2;
    pthread_mutex_unlock(&lock);
    return a;
}

int main(void) {
    pthread_t t;
    volatile int whole = 10, share;
    pthread_create(&t, NULL, set, NULL);
#ifndef BROKEN
    pthread_join(t, NULL);
#endif
    pthread_mutex_lock(&lock);
    share = whole / parts;
    pthread_mutex_unlock(&lock);
    return share == 77;
}
