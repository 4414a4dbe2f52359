// expect: UNSAFE endless execution
// flags: --property termination --fair weak
// Weakly fair: main finds the lock free again and again, but not all the time.
#include <pthread.h>
pthread_mutex_t m;
int flag;
void *waiter(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        int done = flag;
        pthread_mutex_unlock(&m);
        if (done) return 0;
    }
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
