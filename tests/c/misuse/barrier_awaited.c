// expect: UNSAFE destruction of an object that a thread waits for
// flags: -p valid-memsafety
#include <pthread.h>
static pthread_barrier_t b;
static void *worker(void *a) { pthread_barrier_wait(&b); return a; }
int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    pthread_barrier_destroy(&b);
}
