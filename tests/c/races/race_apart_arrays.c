// expect: SAFE accesses that may conflict are ordered
// flags: -p no-data-race
// Locks in one array, what they protect in another.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t locks[9999];
int data[9999];
void *f(void *arg) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 9999) return 0;
    pthread_mutex_lock(&locks[i]);
    data[i]++;
    pthread_mutex_unlock(&locks[i]);
    return arg;
}
void *g(void *arg) { return f(arg); }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
