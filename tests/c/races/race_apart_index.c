// expect: SAFE accesses that may conflict are ordered
// flags: -p no-data-race
// Each element has its lock: what index it is does not matter.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
struct account {
    pthread_mutex_t lock;
    int balance, limit;
} accounts[10000];
void *f(void *arg) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 9999) return 0;
    pthread_mutex_lock(&accounts[i].lock);
    accounts[i].balance++;
    pthread_mutex_unlock(&accounts[i].lock);
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
