// Two threads count under a mutex, by any amount. RIGHT: each takes the mutex; without it updates are lost.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned total, mine, other;

static void *add(void *amount) {
#ifdef RIGHT
    pthread_mutex_lock(&lock);
#endif
    total += *(unsigned *)amount;
#ifdef RIGHT
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(void) {
    pthread_t first, second;
    mine = (unsigned)__VERIFIER_nondet_int();
    other = (unsigned)__VERIFIER_nondet_int();
    if (mine > 1000 || other > 1000 || !mine || !other) return 0;
    pthread_create(&first, NULL, add, &mine);
    pthread_create(&second, NULL, add, &other);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(total == mine + other);
}
