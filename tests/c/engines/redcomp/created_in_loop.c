// expect: UNSAFE
// flags: -e redcomp
// A loop creates any number of threads of one function.
#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    x++;
    assert(x < 2);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_bool()) pthread_create(&t, NULL, work, NULL);
    return 0;
}
