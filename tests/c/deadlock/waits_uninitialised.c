// expect: UNSAFE deadlock: a thread waits for a lock that it holds itself
// flags: -p no-deadlock -e redcomp
/* A local that is not initialised decides whether the lock is taken twice: the trace has its value. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
int main(void) {
    int twice;
    x = 1;
    if (twice) pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
