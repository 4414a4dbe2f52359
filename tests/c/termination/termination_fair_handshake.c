// expect: SAFE Every fair execution ends
// flags: --property termination --fair weak --engine redcomp
// Rounds without bound: each waits for the other, and somebody can always go on.
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
atomic_int turn;
int n;
void *one(void *arg) {
    for (int i = 0; i < n; i++) {
        while (turn != 0) ;
        turn = 1;
    }
    return 0;
}
void *two(void *arg) {
    for (int i = 0; i < n; i++) {
        while (turn != 1) ;
        turn = 0;
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    n = __VERIFIER_nondet_int();
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
