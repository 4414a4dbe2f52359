// expect: SAFE
/* Lamport's bakery for 3 threads that enter again and again: tickets are not bounded. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int choosing[3], number[3];
static int inside;

static void await_turn(int self, int other) {
    while (choosing[other]) {
    }
    for (;;) {
        int theirs = number[other], mine = number[self];
        if (theirs == 0 || mine < theirs || (mine == theirs && self < other)) break;
    }
}

static void enter(int self) {
    int one = (self + 1) % 3, two = (self + 2) % 3, next, theirs;
    choosing[self] = 1;
    next = number[one];
    theirs = number[two];
    if (theirs > next) next = theirs;
    number[self] = next + 1;
    choosing[self] = 0;
    await_turn(self, one);
    await_turn(self, two);
}

static void serve(int self) {
    for (;;) {
        enter(self);
        inside = self;
        assert(inside == self);
        number[self] = 0;
    }
}

static void *thread0(void *unused) {
    (void)unused;
    serve(0);
    return NULL;
}

static void *thread1(void *unused) {
    (void)unused;
    serve(1);
    return NULL;
}

static void *thread2(void *unused) {
    (void)unused;
    serve(2);
    return NULL;
}

int main(void) {
    pthread_t id[3];
    pthread_create(&id[0], NULL, thread0, NULL);
    pthread_create(&id[1], NULL, thread1, NULL);
    pthread_create(&id[2], NULL, thread2, NULL);
    for (int i = 0; i < 3; i++) pthread_join(id[i], NULL);
    return 0;
}
