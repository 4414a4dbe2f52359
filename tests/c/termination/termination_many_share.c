// expect: SAFE
// flags: --property termination --engine redcomp --second-solver
// They take from one heap, which nobody makes larger.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int left;
pthread_mutex_t m;
void *worker(void *arg) {
    int more = 1;
    while (more) {
        pthread_mutex_lock(&m);
        if (left > 0) left--;
        else more = 0;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t t;
    int threads = __VERIFIER_nondet_int();
    left = __VERIFIER_nondet_int();
    for (int i = 0; i < threads; i++) pthread_create(&t, 0, worker, 0);
    return 0;
}
