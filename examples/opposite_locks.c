// expect: UNSAFE no-deadlock
/* Money moves between two accounts, and each transfer locks both. One transfer goes the other way, and locks them in the
   other order: each thread then waits for the lock that the other one holds. */
#include <pthread.h>

typedef struct Account {
    pthread_mutex_t lock;
    int balance;
} Account;

static Account here = {PTHREAD_MUTEX_INITIALIZER, 100}, there = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(Account *from, Account *to, int amount) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *send(void *unused) {
    (void)unused;
    transfer(&here, &there, 10);
    return NULL;
}

static void *send_back(void *unused) {
    (void)unused;
    transfer(&there, &here, 20);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, send, NULL);
    pthread_create(&second, NULL, send_back, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
