// expect: SAFE
/* Lamport's bakery for two threads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int choosing[2], number[2];
static int inside;

static void enter(int self) {
    int other = 1 - self;
    choosing[self] = 1;
    number[self] = number[other] + 1;
    choosing[self] = 0;
    while (choosing[other]) {
    }
    for (;;) {
        int theirs = number[other], mine = number[self];
        if (theirs == 0 || mine < theirs || (mine == theirs && self < other)) break;
    }
}

static void *worker(void *argument) {
    int self = *(int *)argument;
    enter(self);
    inside++;
    assert(inside == 1);
    inside--;
    number[self] = 0;
    return NULL;
}

int main(void) {
    int numbers[2] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
