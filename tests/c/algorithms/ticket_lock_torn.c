// expect: UNSAFE
/* A ticket lock whose tickets are drawn in two steps: two threads may draw the same one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
static int sum;

static void *worker(void *argument) {
    unsigned ticket = next_ticket;
    next_ticket = ticket + 1;
    while (now_serving != ticket) {
    }
    sum += *(int *)argument;
    now_serving = ticket + 1;
    return NULL;
}

int main(void) {
    int values[2] = {1, 2};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &values[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(sum == 3);
    return 0;
}
