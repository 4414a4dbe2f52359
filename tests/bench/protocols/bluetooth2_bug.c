// expect: UNSAFE
/* The Bluetooth driver of KISS (Qadeer, Wu): 1 worker and a thread that stops the driver. Who enters looks before counting: too late. */
#include <assert.h>
#include <pthread.h>

enum { WORKERS = 1 };
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int stopping, stopped, idle; /* idle: the event that the last one leaving raises */
static int pending = 1;             /* input and output going on, and one for the driver itself */

static void leave(void) {
    __VERIFIER_atomic_begin();
    int left = --pending;
    __VERIFIER_atomic_end();
    if (left == 0) idle = 1;
}

static int enter(void) {
    if (stopping) return -1;
    __VERIFIER_atomic_begin();
    pending++;
    __VERIFIER_atomic_end();
    return 0;
}

static void *work(void *unused) {
    (void)unused;
    if (enter() == 0) {
        assert(!stopped);
        leave();
    }
    return NULL;
}

static void *stop(void *unused) {
    (void)unused;
    stopping = 1;
    leave();
    while (!idle) {
    }
    stopped = 1;
    return NULL;
}

int main(void) {
    pthread_t id[WORKERS + 1];
    pthread_create(&id[0], NULL, stop, NULL);
    for (int i = 1; i <= WORKERS; i++) pthread_create(&id[i], NULL, work, NULL);
    for (int i = 0; i <= WORKERS; i++) pthread_join(id[i], NULL);
    return 0;
}
