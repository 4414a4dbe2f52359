// expect: SAFE
// flags: -e redcomp
/* main initialises the mutexes; an assertion that fails while one is held leaves it held: main does not touch it then. */
#include <assert.h>
#include <pthread.h>

static int value, ready;
static pthread_mutex_t mutex, other;

static void *writer(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&other);
    value = 1;
    assert(value == 1);
    pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t t;
    if (ready != value) return 0;
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_init(&other, NULL);
    pthread_create(&t, NULL, writer, NULL);
    pthread_join(t, NULL);
    return 0;
}
