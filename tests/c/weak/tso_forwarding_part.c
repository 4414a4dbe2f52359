// expect: UNSAFE
// flags: --memory-model tso
// A load that lies in a store that waits reads a part of it, and waits for nothing.
#include <assert.h>
#include <pthread.h>

union {
    unsigned word;
    unsigned char byte[4];
} shared;
int y, a, b, part;

void *first(void *p) {
    shared.word = 0x20100;
    part = shared.byte[1] + shared.byte[2];
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
    assert(a || b || part != 3);
    return 0;
}
