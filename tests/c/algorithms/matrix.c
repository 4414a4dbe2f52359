// expect: SAFE
/* Rows of a matrix in two threads: arrays of arrays, pointers to arrays, a constant table. */
#include <assert.h>
#include <pthread.h>

static const int weights[2] = {1, -1};
static int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};

static void *scale(void *argument) {
    int(*row)[3] = argument;
    int weight = weights[row - matrix];
    for (int i = 0; i < 3; i++) (*row)[i] *= weight * 2;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, scale, &matrix[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    int sum = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) sum += matrix[i][j];
    assert(sum == 12 - 30);
    return 0;
}
