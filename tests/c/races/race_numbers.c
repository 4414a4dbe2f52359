// expect: SAFE
// flags: -p no-data-race
// More ids of threads than anybody keeps apart.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *arg) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t[40];
    for (int i = 0; i < 40; i++) pthread_create(&t[i], 0, f, 0);
    for (int i = 0; i < 40; i++) pthread_join(t[i], 0);
    return x;
}
