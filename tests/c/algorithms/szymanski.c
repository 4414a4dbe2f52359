// expect: SAFE
/* Szymanski's mutual exclusion for two threads: a waiting room with two doors. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { OUTSIDE, STANDING, WAITING, ENTERING, INSIDE };
static atomic_int flag[2];
static int inside;

static void enter(int self) {
    int other = 1 - self;
    flag[self] = STANDING;
    while (flag[other] >= ENTERING) {
    }
    flag[self] = ENTERING;
    if (flag[other] == STANDING) {
        flag[self] = WAITING;
        while (flag[other] != INSIDE) {
        }
    }
    flag[self] = INSIDE;
    if (self == 1)
        while (flag[0] >= WAITING) {
        }
}

static void leave(int self) {
    if (self == 0)
        for (int f = flag[1]; f == WAITING || f == ENTERING; f = flag[1]) {
        }
    flag[self] = OUTSIDE;
}

static void *worker(void *argument) {
    int self = *(int *)argument;
    enter(self);
    inside++;
    assert(inside == 1);
    inside--;
    leave(self);
    return NULL;
}

int main(void) {
    int numbers[2] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
