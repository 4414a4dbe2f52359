// expect: SAFE
// flags: --property no-overflow --engine redcomp --timeout 30
// At most one is added in a round, and three times.
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int sum = INT_MAX - 3;

void *add(void *unused) {
    for (int i = 0; i < 3; i++) {
        int x = __VERIFIER_nondet_int();
        if (x < 0 || x > 1) exit(0);
        sum += x;
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    pthread_join(t, NULL);
    return 0;
}
