// expect: UNSAFE data race
// flags: --property no-data-race
// r is one of two new objects. To give r away makes both known.
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int *global;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    int *r = __VERIFIER_nondet_int() ? p : q;
    pthread_mutex_lock(&m);
    global = r;
    pthread_mutex_unlock(&m);
    *p = 2;
    *q = 3;
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
