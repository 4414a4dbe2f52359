// expect: SAFE
// flags: -p valid-memsafety
/* Each of these begins a life: of a local, of a heap object, of static memory, after a destruction, and of memory filled with bytes. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t m, all[2], still = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void once(void) {
    pthread_mutex_t l;
    pthread_barrier_t b;
    pthread_mutex_init(&l, 0);
    pthread_mutex_lock(&l);
    pthread_mutex_unlock(&l);
    pthread_barrier_init(&b, 0, 1);
    pthread_barrier_wait(&b);
}
int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_t *h = malloc(sizeof *h);
        once();
        pthread_mutex_init(h, 0);
        free(h);
        pthread_mutex_init(&m, 0);
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        pthread_mutex_destroy(&m);
        pthread_mutex_init(&all[i], 0);
    }
    pthread_mutex_t g = PTHREAD_MUTEX_INITIALIZER;
    memset(&g, 0xff, sizeof g);
    pthread_mutex_init(&g, 0);
    pthread_mutex_lock(&still);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&still);
}
