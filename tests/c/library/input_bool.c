// expect: SAFE
/* Whatever the inputs say, each thread leaves the lock as it found it. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *worker(void *unused) {
    (void)unused;
    bool up = __VERIFIER_nondet_bool();
    pthread_mutex_lock(&mutex);
    balance += up ? 1 : -1;
    assert(balance >= -2 && balance <= 2);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(balance % 2 == 0);
    return 0;
}
