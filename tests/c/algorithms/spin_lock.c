// expect: SAFE
/* POSIX spin locks; whoever cannot have the lock at once does something else. */
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int hits, misses;

static void *worker(void *unused) {
    (void)unused;
    if (pthread_spin_trylock(&lock) == 0) {
        hits++;
        pthread_spin_unlock(&lock);
    } else {
        pthread_spin_lock(&lock);
        misses++;
        pthread_spin_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    pthread_spin_destroy(&lock);
    assert(hits + misses == 2);
    assert(hits >= 1);
    return 0;
}
