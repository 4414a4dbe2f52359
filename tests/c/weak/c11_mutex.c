// expect: SAFE
// flags: --memory-model c11
// What is done with a mutex is ordered.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int counter;

void *first(void *p) {
    pthread_mutex_lock(&m);
    counter++;
    pthread_mutex_unlock(&m);
    return p;
}
void *second(void *p) {
    pthread_mutex_lock(&m);
    counter++;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(counter == 2);
    return 0;
}
