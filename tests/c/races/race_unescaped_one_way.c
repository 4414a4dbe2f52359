// expect: UNSAFE data race
// flags: --property no-data-race
// On one way r is the new object, on the other way it is not. Behind both, r still may give the address away.
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int *global, other;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    int *p = malloc(sizeof *p), *r = &other;
    if (__VERIFIER_nondet_int()) r = p;
    pthread_mutex_lock(&m);
    global = r;
    pthread_mutex_unlock(&m);
    *p = 2;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&m);
    int *s = global;
    pthread_mutex_unlock(&m);
    if (s) *s = 3;
    pthread_join(t, NULL);
    return 0;
}
