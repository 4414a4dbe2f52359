// expect: UNSAFE
/* The bakery without the choosing flags: a customer who is still drawing his number is not seen. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int number[2];
static int inside;

static void enter(int self) {
    int other = 1 - self;
    number[self] = number[other] + 1;
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
