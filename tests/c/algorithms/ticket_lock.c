// expect: SAFE
/* Three threads behind a ticket lock, made of the __atomic builtins. */
#include <assert.h>
#include <pthread.h>

static unsigned next_ticket, now_serving;
static int sum;

static void *worker(void *argument) {
    unsigned ticket = __atomic_fetch_add(&next_ticket, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&now_serving, __ATOMIC_SEQ_CST) != ticket) {
    }
    sum += *(int *)argument;
    __atomic_store_n(&now_serving, ticket + 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void) {
    int values[3] = {1, 2, 4};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, &values[i]);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(sum == 7);
    return 0;
}
