// expect: UNSAFE
// flags: -p no-data-race --memory-model c11
#include <pthread.h>

int x;

void *first(void *p) {
    x = 1;
    return p;
}

int main(void) {
    pthread_t s;
    pthread_create(&s, 0, first, 0);
    int seen = x;
    pthread_join(s, 0);
    return seen;
}
