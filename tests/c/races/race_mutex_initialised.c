// expect: UNSAFE data race
// flags: -p no-data-race
#include <pthread.h>
static pthread_mutex_t m[2];
static void *worker(void *a) { pthread_mutex_lock(&m[1]); pthread_mutex_unlock(&m[1]); return a; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    for (int i = 0; i < 2; i++) pthread_mutex_init(&m[i], 0);
    pthread_join(t, 0);
}
