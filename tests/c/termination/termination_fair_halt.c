// expect: SAFE --fair weak) [H1416]
// flags: --property termination --fair weak
// main can return all the time: so it does.
#include <pthread.h>
void *one(void *arg) {
    for (;;) ;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    return 0;
}
