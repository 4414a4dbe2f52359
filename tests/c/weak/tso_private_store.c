// expect: SAFE
// flags: --memory-model tso
// A seq_cst store waits for the store buffer, and so does a locked instruction, though no other thread sees what they change.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int x, y, a, b;

void *first(void *p) {
    atomic_int none[2];
    x = 1;
    none[p != NULL] = 1;
    a = y;
    return p;
}

void *second(void *p) {
    int none = 0;
    y = 1;
    __asm__ volatile("lock; addl $1, %0" : "+m"(none));
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
