// expect: UNSAFE signed integer overflow
// flags: --property no-overflow --timeout 30
// An element is changed after it was looked at.
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int *q, front, back, n, sum;

void *put(void *unused) {
    for (;;) {
        __VERIFIER_atomic_begin();
        if (back < 0 || back >= n || (q[back] != 1 && q[back] != -1)) exit(0);
        back++;
        q[0] = 2147483647;
        __VERIFIER_atomic_end();
    }
    return unused;
}

void *take(void *unused) {
    for (;;) {
        __VERIFIER_atomic_begin();
        if (front >= back || front < 0 || front >= n) exit(0);
        int element = q[front];
        front++;
        __VERIFIER_atomic_end();
        sum = sum + element;
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    n = __VERIFIER_nondet_int();
    if (n < 1 || n > 2) exit(0);
    q = malloc(sizeof(int) * (size_t)n);
    if (!q) exit(0);
    for (int i = 0; i < n; i++) q[i] = __VERIFIER_nondet_int();
    front = back = 0;
    sum = 1;
    pthread_create(&a, NULL, put, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
