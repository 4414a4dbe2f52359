// expect: UNSAFE thread 2 (one) waits at told_barrier.c:9 for more threads at the barrier b
// flags: -p no-deadlock -e explicit
#include <pthread.h>

static pthread_barrier_t b;

static void *one(void *unused) {
    (void)unused;
    pthread_barrier_wait(&b);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t, NULL, one, NULL);
    pthread_join(t, NULL);
    return 0;
}
