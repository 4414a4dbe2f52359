// expect: UNKNOWN which may change n
/* No update is lost here; but the function that nobody defines may change n. */
#include <assert.h>
#include <pthread.h>

void metrics_inc(int which);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;

static void *work(void *a) {
    pthread_mutex_lock(&m);
    n++;
    metrics_inc(3);
    pthread_mutex_unlock(&m);
    return a;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
    return 0;
}
