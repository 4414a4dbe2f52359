// expect: SAFE
/* Three philosophers share three forks. Each takes the fork with the smaller number first, so they cannot wait for each
   other in a circle. Whoever eats holds both his forks alone, and in the end all have eaten. */
#include <assert.h>
#include <pthread.h>

enum { SEATS = 3 };

static pthread_mutex_t forks[SEATS];
static int holder[SEATS]; /* who eats with this fork, 0: nobody */
static int meals[SEATS];

static void *philosopher(void *argument) {
    int seat = *(int *)argument;
    int left = seat, right = (seat + 1) % SEATS;
    int low = left < right ? left : right, high = left < right ? right : left;
    pthread_mutex_lock(&forks[low]);
    pthread_mutex_lock(&forks[high]);
    holder[low] = holder[high] = seat + 1;
    meals[seat]++;
    assert(holder[low] == seat + 1 && holder[high] == seat + 1);
    pthread_mutex_unlock(&forks[high]);
    pthread_mutex_unlock(&forks[low]);
    return NULL;
}

int main(void) {
    pthread_t threads[SEATS];
    int seats[SEATS];
    for (int i = 0; i < SEATS; i++) pthread_mutex_init(&forks[i], NULL);
    for (int i = 0; i < SEATS; i++) {
        seats[i] = i;
        pthread_create(&threads[i], NULL, philosopher, &seats[i]);
    }
    for (int i = 0; i < SEATS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < SEATS; i++) assert(meals[i] == 1);
    return 0;
}
