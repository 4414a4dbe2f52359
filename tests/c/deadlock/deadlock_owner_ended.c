// expect: UNSAFE deadlock: a thread waits for a lock whose holder has ended
// flags: -p no-deadlock
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *p) {
    pthread_mutex_lock(&m);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    pthread_mutex_lock(&m);
    return 0;
}
