// expect: SAFE
// flags: -p no-data-race
/* A flag that synchronises. */
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int ready;
void *f(void *p) {
    data = 7;
    ready = 1;
    return p;
}
void *g(void *p) {
    if (ready) data++;
    return p;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
