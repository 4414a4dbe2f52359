// expect: SAFE
// A section that ends the process lets nobody look at what it wrote.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int x;

void *watch(void *argument) {
    assert(x == 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, watch, NULL);
    __VERIFIER_atomic_begin();
    x = 1;
    exit(0);
}
