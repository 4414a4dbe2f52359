// expect: UNSAFE endless execution
// flags: --property termination
// What one thread would do wrong does not end another that goes first.
#include <pthread.h>
int *nothing;
void *one(void *arg) {
    *nothing = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    for (;;) ;
}
