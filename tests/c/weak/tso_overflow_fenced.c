// expect: SAFE
// flags: --memory-model tso -p no-overflow
// The fences make sure that one of them reads 1.
#include <limits.h>
#include <pthread.h>

int x, y, a, b;

void *first(void *p) {
    x = 1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    a = y;
    return p;
}
void *second(void *p) {
    y = 1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    b = x;
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return INT_MAX - a - b + 1 > 0;
}
