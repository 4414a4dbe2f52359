// expect: SAFE
/* The ticket lock, 2 threads that enter again and again: tickets are not bounded (signed: they never wrap). */
#include <assert.h>
#include <pthread.h>

enum { THREADS = 2 };
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int next, serving;
static int inside;

static void *worker(void *unused) {
    (void)unused;
    for (;;) {
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
    }
    return NULL;
}

int main(void) {
    pthread_t id[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&id[i], NULL, worker, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(id[i], NULL);
    return 0;
}
