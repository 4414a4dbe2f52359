// expect: UNKNOWN the program compares addresses of the local variables of many threads [H0744]
// flags: --engine redcomp
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

int *last;

void *work(void *argument) {
    int mine = 1, *previous = last;
    last = &mine;
    if (previous) assert(previous == &mine);
    return NULL;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_bool()) pthread_create(&thread, NULL, work, NULL);
    return 0;
}
