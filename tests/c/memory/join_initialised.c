// expect: SAFE
// flags: -p valid-memsafety -e redcomp
// Each number that is joined comes from a creation.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    sum = __VERIFIER_nondet_int();
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t threads[3], last;
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
    pthread_create(&last, NULL, work, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    pthread_join(last, NULL);
    return 0;
}
