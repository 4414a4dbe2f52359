// expect: SAFE
/* Calls through a table of functions, one entry of which is changed while the program runs. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef int (*Operation)(int, int);
static int add(int a, int b) { return a + b; }
static int multiply(int a, int b) { return a * b; }
static int subtract(int a, int b) { return a - b; }

static _Atomic(Operation) table[2] = {add, multiply};
static int results[2];

static void *worker(void *argument) {
    int self = *(int *)argument;
    Operation operation = table[self];
    results[self] = operation(6, 3);
    return NULL;
}

int main(void) {
    int numbers[2] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
    table[0] = subtract;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(results[0] == 9 || results[0] == 3);
    assert(results[1] == 18);
    return 0;
}
