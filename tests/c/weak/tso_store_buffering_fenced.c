// expect: SAFE no thread can observe a delayed store
// flags: --memory-model tso
// A fence between the store and the load: both cannot miss.
#include <assert.h>
#include <pthread.h>

int x, y, a, b;

void *first(void *p) {
    x = 1;
    __sync_synchronize();
    a = y;
    return p;
}
void *second(void *p) {
    y = 1;
    __sync_synchronize();
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
