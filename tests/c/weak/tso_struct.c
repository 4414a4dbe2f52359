// expect: UNSAFE fails
// flags: --memory-model tso
// A struct with padding waits like other stores.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct padded {
    int value;
    char tag;
} shared;
atomic_int other;
int first_saw = 1, second_saw = 1;

void *first(void *p) {
    struct padded new = {1, 1};
    shared = new;
    first_saw = other;
    return p;
}

void *second(void *p) {
    other = 1;
    second_saw = shared.value;
    return p;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first_saw || second_saw);
    return 0;
}
