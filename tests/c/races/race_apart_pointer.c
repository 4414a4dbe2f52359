// expect: SAFE accesses that may conflict are ordered
// flags: -p no-data-race
// A lock beside the data, found by a pointer that a function is given.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
struct account {
    pthread_mutex_t lock;
    int balance, limit;
} accounts[10000];
static void lock(pthread_mutex_t *m) { pthread_mutex_lock(m); }
static void pay(struct account *a) {
    lock(&a->lock);
    if (a->balance < a->limit) a->balance++;
    pthread_mutex_unlock(&a->lock);
}
void *f(void *arg) {
    for (struct account *a = accounts; a < accounts + 10000; a++) pay(a);
    return arg;
}
void *g(void *arg) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 9999) return 0;
    pay(&accounts[i]);
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
