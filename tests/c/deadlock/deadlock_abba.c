// expect: SAFE
/* Two locks taken in opposite orders: the threads may block each other, but what they protect stays consistent. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *forward(void *unused) {
    (void)unused;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    x++;
    y++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *backward(void *unused) {
    (void)unused;
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    assert(x == y);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, forward, NULL);
    pthread_create(&second, NULL, backward, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(x == 1 && y == 1);
    return 0;
}
