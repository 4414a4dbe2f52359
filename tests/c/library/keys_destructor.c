// expect: UNSAFE
/* A destructor gets the value that the ending thread had under the key. */
#include <assert.h>
#include <pthread.h>

static int seen;

static void destroy(void *value) { seen = (int)(long)value; }

static void *worker(void *key) {
    pthread_setspecific(*(pthread_key_t *)key, (void *)42);
    return NULL;
}

int main(void) {
    pthread_key_t key;
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, NULL, worker, &key);
    pthread_setspecific(key, (void *)16);
    pthread_join(t, NULL);
    assert(seen != 42);
}
