// expect: SAFE
// flags: -p unreach-call --engine threader
/* Any number of threads, and a lock that knows its owner: what a thread relies on speaks of the number of who runs. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
static atomic_uint owner;
static unsigned inside;
static void *worker(void *p) {
    unsigned self = (unsigned)pthread_self(), nobody = 0;
    if (!atomic_compare_exchange_strong(&owner, &nobody, self)) return NULL;
    inside = self;
    assert(inside == self);
    owner = 0;
    return p;
}
int main(void) {
    pthread_t id;
    while (__VERIFIER_nondet_int()) pthread_create(&id, NULL, worker, NULL);
    return 0;
}
