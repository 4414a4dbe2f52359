// expect: UNSAFE
// flags: --memory-model tso
// To unlock a spin lock is to store: that waits like others.
#include <assert.h>
#include <pthread.h>

int x, y, a, b;
pthread_spinlock_t l, m;

void *first(void *p) {
    x = 1;
    pthread_spin_unlock(&l);
    a = y;
    return p;
}

void *second(void *p) {
    y = 1;
    pthread_spin_unlock(&m);
    b = x;
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&m, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&l);
    pthread_spin_lock(&m);
    pthread_create(&s, NULL, first, NULL);
    pthread_create(&t, NULL, second, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    assert(a || b);
    return 0;
}
