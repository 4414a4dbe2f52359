// expect: UNSAFE
// flags: --property valid-memsafety
// Who ends its thread from within a function has left it when destructors run: its locals are gone.
#include <pthread.h>

static pthread_key_t key;

static void clear(void *p) { *(int *)p = 0; }

static void *work(void *unused) {
    int local = 1;
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
