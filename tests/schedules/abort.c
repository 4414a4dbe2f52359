// broken: unreach-call
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int opened;

static void *open_it(void *a) {
    pthread_mutex_lock(&lock);
    opened = 1;
    pthread_mutex_unlock(&lock);
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, open_it, NULL);
#ifndef BROKEN
    pthread_join(t, NULL);
#endif
    pthread_mutex_lock(&lock);
    if (!opened) abort();
    pthread_mutex_unlock(&lock);
    return 0;
}
