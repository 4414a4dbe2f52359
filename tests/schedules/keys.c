// The destructors of keys belong to the thread, and are over when it is joined.
// broken: no-data-race
#include <pthread.h>

static pthread_key_t key;
static int ended;

static void destroy(void *value) { *(int *)value = 1; }

static void *work(void *a) {
    pthread_setspecific(key, &ended);
    return a;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, NULL, work, NULL);
#ifdef BROKEN
    if (ended) return 1;
#endif
    pthread_join(t, NULL);
    return !ended;
}
