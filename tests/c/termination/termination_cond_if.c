// expect: UNSAFE endless execution
// flags: --property termination
// A wait that ends by itself, once, is enough for what follows not to end.
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
