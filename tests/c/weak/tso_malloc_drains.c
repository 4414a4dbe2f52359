// expect: SAFE assuming that malloc and free wait until the store buffer is empty; this store may be delayed otherwise [H1119]
// flags: --memory-model tso
// It is said that malloc and free are taken to be fences.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int x, y, a, b;

void *first(void *p) {
    x = 1;
    free(malloc(4));
    a = y;
    return p;
}

void *second(void *p) {
    y = 1;
    free(malloc(4));
    b = x;
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, NULL, first, NULL);
    pthread_create(&t, NULL, second, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    assert(a || b);
    return 0;
}
