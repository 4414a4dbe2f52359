// expect: UNSAFE waits in its store buffer
// flags: --memory-model tso -p no-overflow
// Under TSO both may read 0: the sum is beyond the largest int only then.
#include <limits.h>
#include <pthread.h>

int x, y, a, b;

void *first(void *p) {
    x = 1;
    a = y;
    return p;
}
void *second(void *p) {
    y = 1;
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
