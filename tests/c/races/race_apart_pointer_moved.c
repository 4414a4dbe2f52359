// expect: UNSAFE data race
// flags: -p no-data-race
// The pointer moves on between the lock and the access.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
struct account {
    pthread_mutex_t lock;
    int balance, limit;
} accounts[10000];
void *f(void *arg) {
    struct account *a = &accounts[__VERIFIER_nondet_int() ? 0 : 1];
    pthread_mutex_lock(&a->lock);
    struct account *locked = a++;
    a->balance++;
    pthread_mutex_unlock(&locked->lock);
    return arg;
}
void *g(void *arg) {
    struct account *a = &accounts[__VERIFIER_nondet_int() ? 0 : 1];
    pthread_mutex_lock(&a->lock);
    a->balance++;
    pthread_mutex_unlock(&a->lock);
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
