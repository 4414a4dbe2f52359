// expect: UNKNOWN other threads than main create threads [H0848]
// flags: --property termination --engine redcomp
// Each thread ends, and the last has always created another.
#include <pthread.h>
void *worker(void *arg) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
