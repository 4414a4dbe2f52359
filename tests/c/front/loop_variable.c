// expect: UNSAFE
/* The threads are given the address of the loop variable, which moves on before they look. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int seen[3];

static void *worker(void *argument) {
    int number = *(int *)argument;
    if (number < 3) seen[number]++;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int i;
    for (i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &i);
    for (int k = 0; k < 2; k++) pthread_join(threads[k], NULL);
    assert(seen[0] == 1 && seen[1] == 1);
    return 0;
}
