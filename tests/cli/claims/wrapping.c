// Sums that wrap around, whose terms come in another order.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
unsigned a, b, first, second;
THREADS(left, right)

void *left(void *arg) {
    START(left)
    a += first;
    AT a += second;
    END
    return arg;
}

void *right(void *arg) {
    START(right)
    b += second;
    AT b += first;
    END
    return arg;
}

int main(void) {
    pthread_t t, u;
    START(main)
    first = INPUT(__VERIFIER_nondet_uint(), 4000000000u);
    second = INPUT(__VERIFIER_nondet_uint(), 1000000000u);
    a = b = INPUT(__VERIFIER_nondet_uint(), 5u);
    pthread_create(&t, NULL, left, NULL);
    pthread_create(&u, NULL, right, NULL);
    AT pthread_join(t, NULL);
    AT pthread_join(u, NULL);
    AT assert(a == b);
    return 0;
}
