// expect: SAFE
// flags: -p valid-memsafety
/* POSIX: it may be destroyed as soon as the threads that were blocked on it are woken. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static int ready, over;
static void *worker(void *a) {
    pthread_mutex_lock(&m);
    ready = 1;
    if (!over) pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_cond_init(&c, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    if (ready) {
        over = 1;
        pthread_cond_broadcast(&c);
        pthread_cond_destroy(&c);
    }
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
}
