// expect: SAFE
// flags: -p no-data-race
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;
static void *worker(void *unused) {
    if (pthread_mutex_trylock(&mutex) != 0) return 0;
    data++;
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
}
