// expect: UNSAFE data race
// flags: -p no-data-race
/* The access that races is in the middle of an atomic section. */
#include <pthread.h>
static pthread_barrier_t b;
static void *worker(void *a) { pthread_barrier_wait(&b); return a; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_barrier_init(&b, 0, 1);
    pthread_join(t, 0);
}
