// expect: UNSAFE assertion x == 0 fails
// The division faults, but the write before it has happened.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int x;

void *watch(void *argument) {
    assert(x == 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int k = __VERIFIER_nondet_int();
    if (k != 0) return 0;
    pthread_create(&thread, NULL, watch, NULL);
    x = 1;
    return 7 / k;
}
