// expect: SAFE
/* calloc is zero, realloc keeps the contents, each thread has its own block. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *argument) {
    int tag = *(int *)argument;
    int *block = calloc(2, sizeof *block);
    assert(block[0] == 0 && block[1] == 0);
    block[0] = tag;
    block = realloc(block, 3 * sizeof *block);
    block[2] = tag;
    assert(block[0] + block[1] + block[2] == 2 * tag);
    free(block);
    free(NULL);
    return NULL;
}

int main(void) {
    int tags[2] = {3, 5};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &tags[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
