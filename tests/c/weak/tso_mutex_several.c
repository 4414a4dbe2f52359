// expect: SAFE as under sequential consistency
// flags: -p unreach-call --memory-model tso
// Store buffering between threads that hold the same mutex: whoever gives it up has no store that waits.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y, a = 1, b = 1;

void *first(void *p) {
    pthread_mutex_lock(&m);
    x = 1;
    a = y;
    pthread_mutex_unlock(&m);
    return p;
}
void *second(void *p) {
    pthread_mutex_lock(&m);
    y = 1;
    b = x;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a == 1 || b == 1);
    return 0;
}
