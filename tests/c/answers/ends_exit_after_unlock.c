// expect: UNSAFE assertion x == 0 fails
// The lock is free between unlock and exit.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *watch(void *argument) {
    pthread_mutex_lock(&mutex);
    assert(x == 0);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, watch, NULL);
    x = 1;
    pthread_mutex_unlock(&mutex);
    exit(0);
}
