// expect: SAFE the loop of main at line 20 ends: threads - main::i becomes smaller in every round
// flags: --property termination --engine redcomp
// Any number of threads, each with a loop of its own that nobody else makes longer.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int n, total;
pthread_mutex_t m;
void *worker(void *arg) {
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&m);
        total++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_int();
    int threads = __VERIFIER_nondet_int();
    for (int i = 0; i < threads; i++) pthread_create(&t, 0, worker, 0);
    return 0;
}
