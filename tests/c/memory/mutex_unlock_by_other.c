// expect: UNSAFE unlock of a mutex that the thread does not hold
// flags: -p valid-memsafety
// A mutex is no semaphore: who locks it unlocks it.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *unused) {
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
}
