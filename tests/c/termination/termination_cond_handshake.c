// expect: UNSAFE endless execution
// flags: --property termination --no-spurious-wakeups
// Two threads wake each other for ever.
#include <pthread.h>
pthread_mutex_t m;
pthread_cond_t c;
int turn, stop;
void *other(void *arg) {
    pthread_mutex_lock(&m);
    while (!stop) {
        while (turn == 0) pthread_cond_wait(&c, &m);
        turn = 0;
        pthread_cond_signal(&c);
    }
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&m);
    while (!stop) {
        while (turn == 1) pthread_cond_wait(&c, &m);
        turn = 1;
        pthread_cond_signal(&c);
    }
    pthread_mutex_unlock(&m);
    return 0;
}
