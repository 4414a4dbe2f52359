// expect: SAFE
/* The tills of counter_overflow.c with a sum that has room for it. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long long total = 500000000;

static void *till(void *unused) {
    (void)unused;
    int took = 0;
    for (int i = 0; i < 3; i++) took += 300000000;
    pthread_mutex_lock(&lock);
    total += took;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, till, NULL);
    pthread_create(&second, NULL, till, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(total == 2300000000);
    return 0;
}
