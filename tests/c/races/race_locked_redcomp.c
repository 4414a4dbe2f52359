// expect: SAFE
// flags: -p no-data-race -e redcomp --second-solver
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *f(void *p) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    
    return p;
}
void *g(void *p) {
    pthread_mutex_lock(&m);
    x++;
    y = 2;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
