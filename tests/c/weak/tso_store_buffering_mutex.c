// expect: SAFE
// flags: --memory-model tso
// So does a mutex.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y, a, b;

void *first(void *p) {
    x = 1;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    a = y;
    return p;
}
void *second(void *p) {
    y = 1;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    b = x;
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a == 1 || b == 1);
    return 0;
}
