// expect: SAFE n - one::i becomes smaller with each step of one at
// flags: --property termination --engine redcomp
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m;
int n, sum;
void *one(void *arg) {
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&m);
        sum = 1 - sum;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
void *two(void *arg) {
    for (int i = n; i > 0; i--) {
        pthread_mutex_lock(&m);
        sum = 1 - sum;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    n = __VERIFIER_nondet_int();
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
