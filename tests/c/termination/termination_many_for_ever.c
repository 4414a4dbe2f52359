// expect: UNKNOWN found no ranking function for this loop that decreases whatever the other threads do [H0847]
// flags: --property termination --engine redcomp
// Each thread ends, but there is always a new one.
#include <pthread.h>
void *worker(void *arg) { return 0; }
int main(void) {
    pthread_t t;
    while (1) pthread_create(&t, 0, worker, 0);
}
