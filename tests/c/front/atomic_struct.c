// expect: SAFE
/* An _Atomic struct too large for the machine's instructions is still copied whole. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct Triple {
    long a, b, c;
} Triple;
static _Atomic Triple shared;

static void *writer(void *unused) {
    (void)unused;
    Triple value = {1, 2, 3};
    atomic_store(&shared, value);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    Triple seen = atomic_load(&shared);
    assert((seen.a == 0 && seen.b == 0 && seen.c == 0) || (seen.a == 1 && seen.b == 2 && seen.c == 3));
    pthread_join(thread, NULL);
    return 0;
}
