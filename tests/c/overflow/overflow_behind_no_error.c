// expect: UNSAFE overflow
// flags: -p no-overflow -e redcomp
// The second thread never adds, since y equals z. It goes on to a write, and the first thread then overflows.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static _Atomic int x;
static int y, z;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *multiplies(void *unused) {
    int n = x;
    n = n * 1000000000;
    return unused;
}

static void *writes(void *unused) {
    int n = __VERIFIER_nondet_int();
    pthread_mutex_lock(&mutex);
    if (y != z) n = n + 1;
    pthread_mutex_unlock(&mutex);
    x = 3;
    return unused;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, multiplies, NULL);
    pthread_create(&u, NULL, writes, NULL);
    pthread_mutex_lock(&mutex);
    y = 1;
    z = 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}
