// expect: UNSAFE the program ends only under a fair scheduler
// flags: --property termination
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag1, flag2, turn;
void *one(void *arg) {
    flag1 = 1;
    turn = 1;
    while (flag2 && turn == 1) ;
    flag1 = 0;
    return 0;
}
void *two(void *arg) {
    flag2 = 1;
    turn = 0;
    while (flag1 && turn == 0) ;
    flag2 = 0;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
