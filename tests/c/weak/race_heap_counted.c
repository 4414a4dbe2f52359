// expect: SAFE
// flags: -p no-data-race --memory-model c11
// A counter that orders nothing does no harm where a lock passes the object on.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *shared;

void *first(void *p) {
    int *q = malloc(sizeof *q);
    if (!q) return p;
    *q = 42;
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    pthread_mutex_lock(&lock);
    shared = q;
    pthread_mutex_unlock(&lock);
    return p;
}

void *second(void *p) {
    pthread_mutex_lock(&lock);
    int *q = shared;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return q && *q ? p : NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
