// expect: UNSAFE the program need not end under a fair scheduler either (--fair weak) [H1418]
// flags: --property termination
// Each waits until the other has begun to wait no more.
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag1, flag2;
void *one(void *arg) {
    while (!flag2) ;
    flag1 = 1;
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, one, 0);
    while (!flag1) ;
    flag2 = 1;
    pthread_join(a, 0);
    return 0;
}
