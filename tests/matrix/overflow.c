// Two threads add under a mutex. RIGHT: the amounts are small. FEW: they are 0 or 1.
#include <limits.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, amount;

static void *add(void *none) {
    pthread_mutex_lock(&lock);
    total += amount;
    pthread_mutex_unlock(&lock);
    return none;
}

int main(void) {
    pthread_t t;
    amount = __VERIFIER_nondet_int();
#ifdef FEW
    amount &= 1;
#elif defined RIGHT
    if (amount < -1000 || amount > 1000) return 0;
#endif
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
}
