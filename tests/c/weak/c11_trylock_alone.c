// expect: SAFE
// flags: -p unreach-call --memory-model c11
// Whoever gets the mutex is alone, also if others only try.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *first(void *argument) {
    pthread_mutex_lock(&m);
    x = 1;
    x = 2;
    pthread_mutex_unlock(&m);
    return 0;
}

void *second(void *argument) {
    if (pthread_mutex_trylock(&m) != 0) return 0;
    assert(x != 1);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t f, s;
    pthread_create(&f, 0, first, 0);
    pthread_create(&s, 0, second, 0);
    pthread_join(f, 0);
    pthread_join(s, 0);
    return 0;
}
