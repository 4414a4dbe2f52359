// expect: SAFE
// flags: --property no-overflow --data-model ILP32 --timeout 30
// An index times the size of an element is no arithmetic of the program, and lies in the array.
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
int *a, n, x;

void *walk(void *unused) {
    for (unsigned i = 0; i < 2; i++) {
        if (x < 0 || x >= n) exit(0);
        x = a[x];
    }
    return unused;
}

int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000) exit(0);
    a = malloc(sizeof(int) * (size_t)n);
    if (!a) exit(0);
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    pthread_create(&t, NULL, walk, NULL);
    pthread_join(t, NULL);
    return 0;
}
