// expect: UNSAFE
// Each round comes to its line anew: it is not one that was interrupted, and a witness names each.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int i = 1, j = 1;
void *one(void *p) {
    for (int k = 0; k < 3; k++) {
        __VERIFIER_atomic_begin();
        i += j;
        __VERIFIER_atomic_end();
    }
    return p;
}
void *two(void *p) {
    for (int k = 0; k < 3; k++) {
        __VERIFIER_atomic_begin();
        j += i;
        __VERIFIER_atomic_end();
    }
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(j < 21);
    return 0;
}
