// expect: UNSAFE signed integer overflow
// flags: --property no-overflow --engine redcomp --timeout 30
// What a thread did before it ends the process, another one sees.
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
int x;

void *set(void *unused) {
    x = INT_MAX;
    exit(0);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    int y = x + 1;
    pthread_join(t, NULL);
    return y > 0;
}
