// expect: SAFE as under sequential consistency: no two accesses race
// flags: -p unreach-call --memory-model c11
// Too many executions to look at, but mutexes keep everything apart.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;

void *first(void *p) {
    for (;;) {
        pthread_mutex_lock(&m);
        x = (x + 1) % 100;
        y = (y + 1) % 100;
        pthread_mutex_unlock(&m);
    }
}
void *second(void *p) {
    for (;;) {
        pthread_mutex_lock(&m);
        assert(x == y);
        pthread_mutex_unlock(&m);
    }
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    return 0;
}
