// expect: UNSAFE
/* Peterson's protocol with the steps exchanged: each looks at the other's wish before it states its own. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static int inside;

static void *worker(void *argument) {
    int self = *(int *)argument, other = 1 - self;
    while (wants[other]) {
    }
    wants[self] = 1;
    inside++;
    assert(inside == 1);
    inside--;
    wants[self] = 0;
    return NULL;
}

int main(void) {
    int numbers[2] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
