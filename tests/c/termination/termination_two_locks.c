// expect: SAFE no thread can move (no-deadlock checks that)
// flags: --property termination
// They may wait for each other: that is no endless execution.
#include <pthread.h>
pthread_mutex_t a, b;
void *one(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_join(t, 0);
    return 0;
}
