// expect: SAFE
// flags: -e redcomp --rule modular
/* A ticket lock with any number of threads. That no two tickets are the same is known only of two threads at a time. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
static int next, serving;
static int inside;

static void *worker(void *unused) {
    (void)unused;
    __VERIFIER_atomic_begin();
    int mine = next++;
    __VERIFIER_atomic_end();
    while (serving != mine) {
    }
    assert(!inside);
    inside = 1;
    inside = 0;
    __VERIFIER_atomic_begin();
    serving++;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t id;
    while (__VERIFIER_nondet_int()) pthread_create(&id, NULL, worker, NULL);
    return 0;
}
