// expect: UNKNOWN C leaves open whether the end of an object, a dead object or a literal has the address of another object
// The same, where another thread frees it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

char *p;

void *freeing(void *arg) {
    free(p);
    return arg;
}

int main(void) {
    pthread_t t;
    p = malloc(64);
    char *middle = p + 16;
    pthread_create(&t, NULL, freeing, NULL);
    char *q = malloc(16);
    assert(q != middle);
    return 0;
}
