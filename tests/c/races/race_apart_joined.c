// expect: SAFE accesses that may conflict are ordered
// flags: -p no-data-race
// One after the other, by the same variable; then many at once, and main at the end.
#include <pthread.h>
int x, y[3];
void *f(void *arg) {
    for (int i = 0; i < 100000; i++) x += i;
    return arg;
}
void *g(void *arg) {
    for (int i = 0; i < 100000; i++) x -= i;
    return arg;
}
void *h(void *arg) {
    int *p = arg;
    *p = x;
    return 0;
}
int main(void) {
    pthread_t t, all[3];
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, g, 0);
    pthread_join(t, 0);
    for (int i = 0; i < 3; i++) pthread_create(&all[i], 0, h, &y[i]);
    for (int i = 0; i < 3; i++) pthread_join(all[i], 0);
    return y[0] + y[1] + y[2] + x++;
}
