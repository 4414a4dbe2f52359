// expect: UNSAFE unreach-call
/* A message is announced before it is complete. C11 atomics do not help: the order of the two stores is wrong. */
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int message, ready;

static int sender(void *unused) {
    (void)unused;
    ready = 1;
    message = 42;
    return 0;
}

static int receiver(void *unused) {
    (void)unused;
    if (ready) assert(message == 42);
    return 0;
}

int main(void) {
    thrd_t first, second;
    thrd_create(&first, sender, NULL);
    thrd_create(&second, receiver, NULL);
    thrd_join(first, NULL);
    thrd_join(second, NULL);
    return 0;
}
