// expect: SAFE
// flags: -- -O1
/* What cannot overflow is computed as it stands. */
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum;

static void *add(void *a) {
    int n = *(int *)a % 4;
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&lock);
        sum += i;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    int n = __VERIFIER_nondet_uchar();
    pthread_create(&t, 0, add, &n);
    add(&n);
    pthread_join(t, 0);
    int k = n % 4;
    assert(sum == k * (k - 1));
    return 0;
}
