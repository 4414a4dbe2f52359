// expect: SAFE --fair weak
// flags: --property termination --fair weak --engine redcomp --second-solver
// main comes to set the flag.
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
void *waiter(void *arg) {
    while (!flag) ;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    flag = 1;
    pthread_join(t, 0);
    return 0;
}
