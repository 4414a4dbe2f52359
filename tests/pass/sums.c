// pass: congruent-sums
/* Nobody compares the sum while it grows: it need not be brought into range. */
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned total, n;

static void *work(void *x) {
    for (unsigned i = 0; i < n; i++) {
        pthread_mutex_lock(&m);
        total += i;
        pthread_mutex_unlock(&m);
    }
    return x;
}

int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_uint();
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    unsigned x = total;
    assert(x == total);
    return 0;
}
