// expect: UNSAFE
// flags: -e redcomp
// An attempt to take a mutex fails while another thread holds it.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, holder, NULL);
    assert(pthread_mutex_trylock(&mutex) == 0);
    return 0;
}
