// expect: UNSAFE endless execution
// flags: --property termination --fair weak
// Nobody sets the flag.
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag, other;
void *waiter(void *arg) {
    while (!flag) ;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    other = 1;
    pthread_join(t, 0);
    return 0;
}
