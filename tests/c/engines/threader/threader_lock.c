// expect: SAFE
// flags: -p unreach-call --engine threader
/* A lock that holds its owner's number, taken by any number of threads: a modular proof, in which each relies on the others leaving its number alone. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    count++;
    assert(count == 1);
    count--;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t id;
    while (__VERIFIER_nondet_int()) pthread_create(&id, NULL, worker, NULL);
    return 0;
}
