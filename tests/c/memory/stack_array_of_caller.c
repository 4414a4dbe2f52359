// expect: SAFE
// flags: -p valid-memsafety -e impact
// The process ends while a thread is in a function whose caller has an array of variable length.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int sum;

static void add(const int *a, int n) {
    for (int i = 0; i < n; i++) sum += a[i];
}

static void *work(void *x) {
    int n = 2, a[n];
    a[0] = 1, a[1] = 2;
    add(a, n);
    return x;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    return 0;
}
