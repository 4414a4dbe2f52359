// expect: UNSAFE endless execution
// flags: --property termination
// The thread may go on before main returns.
#include <pthread.h>
void *one(void *arg) {
    for (;;) ;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    return 0;
}
