// expect: UNSAFE data race
// flags: --property no-data-race
// A new thread gets the address by a local that holds it on one way only.
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int other;

static void *work(void *p) {
    *(int *)p = 3;
    return NULL;
}

int main(void) {
    pthread_t t;
    int *p = malloc(sizeof *p), *r = &other;
    if (__VERIFIER_nondet_int()) r = p;
    pthread_create(&t, NULL, work, r);
    *p = 2;
    pthread_join(t, NULL);
    return 0;
}
