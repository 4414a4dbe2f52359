// expect: UNSAFE
// flags: --memory-model pso
// Memory is published before what was stored there arrives: it has any value.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

char *pool, *ready;

void *writer(void *p) {
    char *q = pool;
    q[1] = 5;
    ready = q;
    return p;
}

int main(void) {
    pthread_t t;
    pool = malloc(2);
    pthread_create(&t, NULL, writer, NULL);
    char *q = ready;
    if (q) assert(q[1] == 5);
    pthread_join(t, NULL);
    return 0;
}
