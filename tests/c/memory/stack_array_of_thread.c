// expect: SAFE
// flags: -p valid-memsafety -e redcomp
// An array of variable length is on a stack, not lost as memory from malloc is: its thread may still have it when the process ends.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *work(void *x) {
    int n = 3, a[n];
    a[0] = 1;
    pthread_mutex_lock(&m);
    total += a[0];
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    total++;
    pthread_mutex_unlock(&m);
    return x;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    return 0;
}
