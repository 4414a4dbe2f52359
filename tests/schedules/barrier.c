// broken: no-data-race
#include <pthread.h>

static pthread_barrier_t b;
static int a[2], sum[2];

static void *work(void *x) {
    int i = x != NULL;
    for (int round = 0; round < 2; round++) {
        a[i] = round;
        pthread_barrier_wait(&b);
        sum[i] += a[1 - i];
#ifndef BROKEN
        pthread_barrier_wait(&b);
#endif
    }
    return x;
}

int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t[0], NULL, work, NULL);
    pthread_create(&t[1], NULL, work, &b);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return 0;
}
