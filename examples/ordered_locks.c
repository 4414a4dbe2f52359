// expect: SAFE
/* The transfers of opposite_locks.c with an order: whichever way the money goes, the lock of the first account is taken
   first. No thread waits for a lock while it holds a later one, so they never wait for each other in a circle. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first = 100, second = 100;

static void transfer(int amount) {
    pthread_mutex_lock(&first_lock);
    pthread_mutex_lock(&second_lock);
    first -= amount;
    second += amount;
    pthread_mutex_unlock(&second_lock);
    pthread_mutex_unlock(&first_lock);
}

static void *send(void *unused) {
    (void)unused;
    transfer(10);
    return NULL;
}

static void *send_back(void *unused) {
    (void)unused;
    transfer(-20);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, send, NULL);
    pthread_create(&other, NULL, send_back, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(first + second == 200);
    return 0;
}
