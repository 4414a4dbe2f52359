// expect: SAFE
// flags: --memory-model tso
// A load of more than what waits does not pass it.
#include <assert.h>
#include <pthread.h>

union {
    unsigned word;
    unsigned char byte[4];
} shared;
int y, a, b, part;

void *first(void *p) {
    shared.byte[1] = 1;
    part = shared.word;
    a = y;
    return p;
}

void *second(void *p) {
    y = 1;
    __sync_synchronize();
    b = shared.word;
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
