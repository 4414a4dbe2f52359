// expect: UNSAFE deadlock: a thread waits for a lock whose holder has ended
// flags: -p no-deadlock -e weave
/* A thread ends that holds a lock, if the input says so; main runs on. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *p) {
    int n = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    if (n == 4711) return p;
    pthread_mutex_unlock(&m);
    return p;
}
void *g(void *p) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_create(&t, 0, g, 0);
    while (1) x = !x;
}
