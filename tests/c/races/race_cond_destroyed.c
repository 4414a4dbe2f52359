// expect: UNSAFE data race
// flags: -p no-data-race
#include <pthread.h>
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *worker(void *a) { pthread_cond_signal(&c); return a; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_cond_destroy(&c);
    pthread_join(t, 0);
}
