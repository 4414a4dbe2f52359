// expect: SAFE
/* Results travel through join: a number in a pointer, and a pointer to memory that the thread made. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *square(void *argument) {
    long n = (long)argument;
    return (void *)(n * n);
}

static void *make(void *argument) {
    int *cell = malloc(sizeof *cell);
    *cell = *(int *)argument + 1;
    pthread_exit(cell);
}

int main(void) {
    pthread_t first, second;
    int input = 41;
    void *number, *cell;
    pthread_create(&first, NULL, square, (void *)-7L);
    pthread_create(&second, NULL, make, &input);
    pthread_join(first, &number);
    pthread_join(second, &cell);
    assert((long)number == 49);
    assert(*(int *)cell == 42);
    free(cell);
    return 0;
}
