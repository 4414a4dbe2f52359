// expect: SAFE
/* Philosophers who all reach left first may starve together; nobody ever eats with a neighbour's fork. */
#include <assert.h>
#include <pthread.h>

enum { SEATS = 2 };
static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int eating;

static void *philosopher(void *argument) {
    int seat = *(int *)argument;
    pthread_mutex_lock(&forks[seat]);
    pthread_mutex_lock(&forks[(seat + 1) % SEATS]);
    eating++;
    assert(eating == 1);
    eating--;
    pthread_mutex_unlock(&forks[(seat + 1) % SEATS]);
    pthread_mutex_unlock(&forks[seat]);
    return NULL;
}

int main(void) {
    int seats[SEATS] = {0, 1};
    pthread_t threads[SEATS];
    for (int i = 0; i < SEATS; i++) pthread_create(&threads[i], NULL, philosopher, &seats[i]);
    for (int i = 0; i < SEATS; i++) pthread_join(threads[i], NULL);
    return 0;
}
