// expect: UNSAFE
// flags: -e redcomp --rule redsafety
/* Two threads lock, add n times, and unlock. The sum is 6 for n = 3. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
static int x, n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
    pthread_mutex_lock(&m);
    for (int i = 0; i < n; i++) x++;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t first, second;
    n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000) return 0;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(x != 6);
    return 0;
}
