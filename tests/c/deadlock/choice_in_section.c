// expect: UNKNOWN an atomic section that makes a choice and then waits
// flags: --property no-deadlock
// A section is one step, so the choice in it would always be the one with which the thread need not wait.
#include <semaphore.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static sem_t s[2];

int main(void) {
    sem_init(&s[0], 0, 0);
    sem_init(&s[1], 0, 1);
    __VERIFIER_atomic_begin();
    sem_wait(&s[__VERIFIER_nondet_bool()]);
    __VERIFIER_atomic_end();
    return 0;
}
