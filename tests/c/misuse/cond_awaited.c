// expect: UNSAFE destruction of an object that a thread waits for
// flags: -p valid-memsafety
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *worker(void *a) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    if (ready) pthread_cond_destroy(&c);
    pthread_mutex_unlock(&m);
}
