// flags: -p no-data-race --memory-model tso
// expect: UNKNOWN
// A pthread_spin_trylock that fails does not order what the owner of the lock did before with what follows.
#include <pthread.h>

int x;
pthread_spinlock_t lock;

static void *owner(void *unused) {
    (void)unused;
    x = 1;
    pthread_spin_lock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_spin_init(&lock, 0);
    pthread_create(&t, 0, owner, 0);
    int r = 0;
    if (pthread_spin_trylock(&lock) != 0) r = x;
    return r;
}
