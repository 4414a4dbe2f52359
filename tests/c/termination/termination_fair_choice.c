// expect: UNSAFE
// flags: --property termination --fair weak
// The thread may choose the semaphore that nobody posts. Then main never ends.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);

static sem_t s[2];
static atomic_int done;

static void *work(void *unused) {
    sem_wait(&s[__VERIFIER_nondet_bool()]);
    done = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    sem_init(&s[0], 0, 0);
    sem_init(&s[1], 0, 1);
    pthread_create(&t, NULL, work, NULL);
    while (!done) {}
    return 0;
}
