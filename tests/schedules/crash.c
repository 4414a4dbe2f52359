// broken: valid-memsafety no-data-race
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int value, *pointer;

static void *set(void *a) {
    pthread_mutex_lock(&lock);
    pointer = &value;
    pthread_mutex_unlock(&lock);
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
#ifndef BROKEN
    pthread_join(t, NULL);
#endif
    *pointer = 1;
    return 0;
}
