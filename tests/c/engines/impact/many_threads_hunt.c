// expect: UNSAFE
// flags: -e impact
/* Any number of threads; the error needs three of them. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int inside;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *visitor(void *unused) {
    pthread_mutex_lock(&mutex);
    inside++;
    assert(inside < 3);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        pthread_t t;
        pthread_create(&t, NULL, visitor, NULL);
    }
    return 0;
}
