// expect: UNSAFE endless execution
// flags: --property termination
// They meet again and again.
#include <pthread.h>
pthread_barrier_t b;
void *other(void *arg) {
    while (1) pthread_barrier_wait(&b);
}
int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, other, 0);
    while (1) pthread_barrier_wait(&b);
}
