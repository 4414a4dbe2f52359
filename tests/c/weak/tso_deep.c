// expect: UNSAFE
// flags: --memory-model tso
// Nine stores wait before a load: none has arrived.
#include <assert.h>
#include <pthread.h>

int x, y, a;

void *first(void *p) {
    for (int i = 1; i <= 9; i++) x = i;
    a = y;
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
    y = 1;
    __sync_synchronize();
    int b = x;
    pthread_join(t, NULL);
    assert(a || b);
    return 0;
}
