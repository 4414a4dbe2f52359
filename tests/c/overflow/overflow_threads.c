// expect: SAFE
// flags: -p no-overflow -e redcomp
/* The loop's bound keeps the counter in range, whatever it is. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int n, i;
void *f(void *p) {
    while (i < n) i++;
    return p;
}
int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_int();
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    return 0;
}
