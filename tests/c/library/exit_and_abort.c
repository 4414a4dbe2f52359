// expect: SAFE
/* exit and abort end the process: nothing fails after them, in no thread. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int claims;

static void *worker(void *argument) {
    int place = atomic_fetch_add(&claims, 1);
    if (place == 0) return NULL;
    if (argument == NULL) exit(1);
    abort();
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, &first);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(0);
    return 0;
}
