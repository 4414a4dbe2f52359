// expect: UNKNOWN which may be endless [H0849]
// flags: --property termination --engine redcomp
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x;
void *one(void *arg) {
    __VERIFIER_atomic_begin();
    while (x == 1) ;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    x = 1;
    pthread_join(t, 0);
    return 0;
}
