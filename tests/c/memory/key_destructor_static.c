// expect: SAFE
// flags: --property valid-memsafety
// What is static stays.
#include <pthread.h>

static pthread_key_t key;

static void clear(void *p) { *(int *)p = 0; }

static void *work(void *unused) {
    static int local = 1;
    pthread_setspecific(key, &local);
    pthread_exit(unused);
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, clear);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
