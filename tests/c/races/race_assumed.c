// expect: SAFE
// flags: -p no-data-race
// What other verifiers call an assumption.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
void __goblint_assume(_Bool);
void __CPROVER_assume(_Bool);
int a[10];
void *f(void *arg) {
    int i = __VERIFIER_nondet_int();
    __goblint_assume(i >= 5);
    __CPROVER_assume(i < 10);
    a[i] = 1;
    return arg;
}
void *g(void *arg) {
    a[4] = 1;
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
