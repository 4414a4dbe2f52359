// expect: UNSAFE under sequential consistency the execution cannot happen
// flags: --memory-model tso
// What is in an atomic section happens at once: it is read before it is written, and yet that matters.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y, a, b;

void *first(void *p) {
    __VERIFIER_atomic_begin();
    int read = x;
    if (read < 5) y = 1;
    __VERIFIER_atomic_end();
    a = read;
    return p;
}
void *second(void *p) {
    x = 1;
    b = y;
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a || b);
    return 0;
}
