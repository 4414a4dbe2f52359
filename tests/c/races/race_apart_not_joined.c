// expect: UNSAFE data race
// flags: -p no-data-race
// One of the threads is not joined.
#include <pthread.h>
int x, y[3];
void *h(void *arg) {
    int *p = arg;
    *p = x;
    return 0;
}
int main(void) {
    pthread_t all[3];
    for (int i = 0; i < 3; i++) pthread_create(&all[i], 0, h, &y[i]);
    for (int i = 0; i < 2; i++) pthread_join(all[i], 0);
    return y[0] + y[1] + x++;
}
