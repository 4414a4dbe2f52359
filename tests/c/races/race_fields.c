// expect: SAFE
// flags: -p no-data-race
/* Different members of a struct. */
#include <pthread.h>
struct pair { int a, b; } *s;
struct pair one;
void *f(void *p) {
    s->a = 1;
    return p;
}
void *g(void *p) {
    s->b = 2;
    return p;
}
int main(void) {
    pthread_t t, u;
    s = &one;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
