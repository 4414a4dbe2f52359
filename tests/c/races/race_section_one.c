// expect: UNSAFE data race: 
// flags: -p no-data-race
/* A section excludes sections only. */
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x;
void *f(void *p) {
    x = 1;
    return p;
}
void *g(void *p) {
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
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
