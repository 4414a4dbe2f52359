// expect: SAFE Every execution ends
// flags: --property termination --no-spurious-wakeups
#include <pthread.h>
pthread_mutex_t m;
pthread_cond_t c;
int ready;
int main(void) {
    pthread_mutex_lock(&m);
    if (!ready) pthread_cond_wait(&c, &m);
    while (!ready) ;
    pthread_mutex_unlock(&m);
    return 0;
}
