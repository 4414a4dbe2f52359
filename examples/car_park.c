// expect: SAFE
/* A car park with 100 places, and as many cars as there may be: no state can be visited for each of them, but one invariant
   holds for all. */
#include <assert.h>
#include <pthread.h>

enum { PLACES = 100 };

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int cars;

extern int __VERIFIER_nondet_int(void);

static void *car(void *unused) {
    (void)unused;
    int parked = 0;
    pthread_mutex_lock(&gate);
    if (cars < PLACES) {
        cars++;
        parked = 1;
    }
    assert(cars <= PLACES);
    pthread_mutex_unlock(&gate);
    if (parked) {
        pthread_mutex_lock(&gate);
        cars -= cars > 0; /* it is; but to prove that, those that are parked would have to be counted */
        pthread_mutex_unlock(&gate);
    }
    return NULL;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, car, NULL);
    }
    return 0;
}
