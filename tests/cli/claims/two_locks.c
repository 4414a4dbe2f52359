// Two threads, two locks, and a line outside of both.
#include <assert.h>
#include <pthread.h>

int a, b, sum;
unsigned char small;
float half;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
THREADS(left, right)
OWNERS(m, n)

void *left(void *arg) {
    START(left)
    LOCK(m)
    a = 1;
    small = 200;
    UNLOCK(m)
    AT sum = 3;
    AT LOCK(n)
    half = 0.1f;
    b = b + 5;
    UNLOCK(n)
    END
    return arg;
}

void *right(void *arg) {
    START(right)
    LOCK(n)
    b = b + 2;
    UNLOCK(n)
    AT LOCK(m)
    AT if (a) a = 2;
    UNLOCK(m)
    END
    return arg;
}

int main(void) {
    pthread_t t, u;
    START(main)
    pthread_create(&t, NULL, left, NULL);
    pthread_create(&u, NULL, right, NULL);
    AT pthread_join(t, NULL);
    AT pthread_join(u, NULL);
    AT assert(b == 7 && (a == 1 || a == 2) && sum == 3);
    return 0;
}
