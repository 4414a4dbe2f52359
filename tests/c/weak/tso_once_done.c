// expect: UNSAFE
// flags: --memory-model tso
// Who finds that it was done, or a lock taken, has only looked.
#include <assert.h>
#include <pthread.h>

int x, y, a, b;
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void nothing(void) {}

void *first(void *p) {
    x = 1;
    pthread_once(&once, nothing);
    a = y;
    return p;
}

void *second(void *p) {
    y = 1;
    pthread_rwlock_trywrlock(&l);
    b = x;
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_once(&once, nothing);
    pthread_rwlock_rdlock(&l);
    pthread_create(&s, NULL, first, NULL);
    pthread_create(&t, NULL, second, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    assert(a || b);
    return 0;
}
