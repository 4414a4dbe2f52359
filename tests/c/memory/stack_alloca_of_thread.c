// expect: SAFE
// flags: -p valid-memsafety -e threader
// What alloca() gives goes with its function, and is not lost when the process ends before.
#include <alloca.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *work(void *x) {
    int n = 4, *a = alloca(n * sizeof *a);
    a[3] = 5;
    pthread_mutex_lock(&m);
    total += a[3];
    pthread_mutex_unlock(&m);
    return x;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    return 0;
}
