// expect: UNSAFE destruction or new initialisation of a lock that a thread holds
// flags: -p valid-memsafety
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a) { pthread_mutex_lock(&m); return a; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return pthread_mutex_destroy(&m);
}
