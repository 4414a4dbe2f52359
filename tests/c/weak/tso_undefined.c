// expect: UNSAFE
// flags: --memory-model tso
// What was not initialised gets a value when it is stored, though nobody notices that the store is late.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *writer(void *p) {
    int none;
    shared[1] = none;
    return p;
}

int main(void) {
    pthread_t t;
    shared = malloc(2 * sizeof *shared);
    pthread_create(&t, NULL, writer, NULL);
    pthread_join(t, NULL);
    assert(shared[1] != 3);
    return 0;
}
