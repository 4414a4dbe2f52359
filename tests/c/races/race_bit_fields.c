// expect: UNSAFE data race: 
// flags: -p no-data-race
/* Bit-fields that share a unit are one place. */
#include <pthread.h>
struct { unsigned a : 3, b : 5; } s;
void *f(void *p) {
    s.a = 1;
    return p;
}
void *g(void *p) {
    s.b = 2;
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
