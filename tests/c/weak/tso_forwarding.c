// expect: UNSAFE y: 0 → 1, its store arrives in memory
// flags: --memory-model tso
// A thread reads its own store before others do.
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
    assert(!(a == 1 && b == 0 && c == 1 && d == 0));
    return 0;
}
