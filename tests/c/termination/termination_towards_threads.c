// expect: SAFE
// flags: --property termination --engine redcomp --rule rounds
// Two threads, by relations between visits alone; there is no linear ranking.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x, y;
void *left(void *arg) {
    for (;;) {
        __VERIFIER_atomic_begin();
        int go = x > 0 && y > 0, old = x;
        if (go) x = old - 1, y = old;
        __VERIFIER_atomic_end();
        if (!go) return 0;
    }
}
void *right(void *arg) {
    for (;;) {
        __VERIFIER_atomic_begin();
        int go = x > 0 && y > 0, old = x;
        if (go) x = y - 2, y = old + 1;
        __VERIFIER_atomic_end();
        if (!go) return 0;
    }
}
int main(void) {
    pthread_t a, b;
    x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
