// expect: SAFE
/* Two accounts, each with its lock; the locks are taken in the order of their addresses. The sum is constant. */
#include <assert.h>
#include <pthread.h>

typedef struct Account {
    pthread_mutex_t mutex;
    int balance;
} Account;
static Account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 10}, {PTHREAD_MUTEX_INITIALIZER, 20}};

static void transfer(Account *from, Account *to, int amount) {
    Account *first = from < to ? from : to, *second = from < to ? to : from;
    pthread_mutex_lock(&first->mutex);
    pthread_mutex_lock(&second->mutex);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&second->mutex);
    pthread_mutex_unlock(&first->mutex);
}

static void *forth(void *unused) {
    transfer(&accounts[0], &accounts[1], 5);
    return unused;
}

static void *back(void *unused) {
    transfer(&accounts[1], &accounts[0], 7);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, forth, NULL);
    pthread_create(&second, NULL, back, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(accounts[0].balance == 12 && accounts[1].balance == 18);
    return 0;
}
