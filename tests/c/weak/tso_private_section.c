// expect: SAFE
// flags: --memory-model tso
// An atomic section waits for the store buffer, though it touches nothing that others see.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y, a, b;

void *first(void *p) {
    x = 1;
    __VERIFIER_atomic_begin();
    __VERIFIER_atomic_end();
    a = y;
    return p;
}

void *second(void *p) {
    int none = 0;
    y = 1;
    __VERIFIER_atomic_begin();
    if (p) none = 1;
    __VERIFIER_atomic_end();
    b = x;
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, NULL, first, NULL);
    pthread_create(&t, NULL, second, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    assert(a || b);
    return 0;
}
