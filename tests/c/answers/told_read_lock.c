// expect: UNSAFE thread 2 (one) holds l (to read)
// flags: -p no-data-race -e explicit
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *one(void *unused) {
    (void)unused;
    pthread_rwlock_rdlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, one, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
