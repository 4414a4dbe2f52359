// expect: UNKNOWN tests/c/engines/redcomp/asm_many.c:11:17: not modelled: assembler code
// flags: --engine redcomp
// Threads in any number, for which only proofs are searched: what is not modelled may be the reason that there is none.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int x, n;
static void *worker(void *unused) {
    (void)unused;
    if (x == 3) __asm__ volatile("bsfl %0, %0" : "+r"(x));
    x = 3;
    return NULL;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, worker, NULL);
    assert(n == 0);
    return 0;
}
