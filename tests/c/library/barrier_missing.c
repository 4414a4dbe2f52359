// expect: UNSAFE
/* Without the second barrier a quick thread clears its part before the other has read it. */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int part[2], total[2];

static void *worker(void *argument) {
    int self = *(int *)argument;
    part[self] = self + 1;
    pthread_barrier_wait(&barrier);
    total[self] = part[0] + part[1];
    part[self] = 0;
    return NULL;
}

int main(void) {
    int numbers[2] = {0, 1};
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(total[0] == 3 && total[1] == 3);
    return 0;
}
