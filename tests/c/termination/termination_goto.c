// expect: UNSAFE endless execution
// flags: --property termination
#include <pthread.h>
void *spin(void *arg) {
again:
    goto again;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    return 0;
}
