// expect: SAFE
// flags: --property termination
// One does not come any more: the other waits, which is no endless execution.
#include <pthread.h>
pthread_barrier_t b;
void *other(void *arg) {
    for (int i = 0; i < 2; i++) pthread_barrier_wait(&b);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, other, 0);
    while (1) pthread_barrier_wait(&b);
}
