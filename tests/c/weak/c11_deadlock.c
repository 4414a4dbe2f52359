// expect: UNSAFE
// flags: -p no-deadlock --memory-model c11
// Nothing races: other properties are judged as under sequential consistency.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;

void *first(void *p) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    x = 1;
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return p;
}
void *second(void *p) {
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
