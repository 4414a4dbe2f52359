// expect: UNKNOWN an attempt to take what is free fails
// flags: -p no-data-race
// That another thread holds the mutex says nothing about what it did before.
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;
static void *looker(void *unused) {
    if (pthread_mutex_trylock(&mutex) != 0) data++;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, looker, 0);
    data = 5;
    pthread_mutex_lock(&mutex);
    pthread_exit(0);
}
