// expect: UNSAFE data race
// flags: -p no-data-race
// The thread is joined, but not the one that it has created.
#include <pthread.h>
int x;
pthread_t v;
void *h(void *arg) {
    x++;
    return arg;
}
void *f(void *arg) {
    pthread_create(&v, 0, h, 0);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    return x++;
}
