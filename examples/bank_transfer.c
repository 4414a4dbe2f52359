// expect: UNSAFE unreach-call
/* Check, then act: both tellers see enough money on the account before either takes it. Each access is locked, the
   decision is not. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static bool covers(int amount) {
    pthread_mutex_lock(&mutex);
    bool enough = balance >= amount;
    pthread_mutex_unlock(&mutex);
    return enough;
}

static void withdraw(int amount) {
    pthread_mutex_lock(&mutex);
    balance -= amount;
    pthread_mutex_unlock(&mutex);
}

static void *teller(void *unused) {
    (void)unused;
    if (covers(70)) withdraw(70);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, teller, NULL);
    pthread_create(&second, NULL, teller, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(balance >= 0);
    return 0;
}
