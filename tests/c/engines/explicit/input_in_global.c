// expect: SAFE
// flags: --engine explicit
/* An input that goes to a global variable and is then bounded, while main is alone: few values have to be tried. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static int n, done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument) {
    pthread_mutex_lock(&mutex);
    done += n;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t first, second;
    n = __VERIFIER_nondet_int();
    if (n < 1 || n > 20) abort();
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(done == 2 * n);
    return 0;
}
