// expect: SAFE
// flags: --memory-model tso
// It always reads its own store, or what overwrote it.
#include <assert.h>
#include <pthread.h>

int x, y, a, b, c, d;

void *first(void *p) {
    x = 1;
    a = x;
    b = y;
    return p;
}
void *second(void *p) {
    y = 1;
    c = y;
    d = x;
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a == 1 && c == 1);
    return 0;
}
