// expect: UNSAFE fails
// flags: --memory-model pso
// The address of a struct arrives before a copy that has padding.
#include <assert.h>
#include <pthread.h>

struct padded {
    int value;
    char tag;
} new, *shared;

void *first(void *p) {
    struct padded old = {42, 1};
    new = old;
    shared = &new;
    return p;
}

void *second(void *p) {
    struct padded *q = shared;
    if (q) assert(q->value == 42);
    return p;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
