// expect: UNSAFE
// flags: -e redcomp --rule modular
/* Any number of threads. Two of them read the same value of x before either writes, so x loses an increment and a third assertion fails: the
   steps of two instances of one thread, in the order of an execution. */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    int seen = x;
    x = seen + 1;
    pthread_mutex_lock(&m);
    if (x > 0) x = x - 1;
    pthread_mutex_unlock(&m);
    assert(x <= 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    for (unsigned i = 0, n = __VERIFIER_nondet_uint(); i < n; i++) pthread_create(&thread, 0, run, 0);
    return 0;
}
