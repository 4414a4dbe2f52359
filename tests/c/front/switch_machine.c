// expect: SAFE
/* A state machine driven by two threads: switch with fall-through, goto, short circuit, conditional operator, do-while. */
#include <assert.h>
#include <pthread.h>

enum State { IDLE, RUNNING, STOPPED };
static enum State state = IDLE;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int steps;

static void advance(void) {
    switch (state) {
    case IDLE:
        state = RUNNING;
        /* fall through */
    case RUNNING:
        if (++steps < 3) goto out;
        state = STOPPED;
        break;
    default:
        steps = steps > 3 ? -1 : 3;
    }
out:
    assert((state == STOPPED && steps == 3) || (state != STOPPED && steps < 3));
}

static void *worker(void *unused) {
    (void)unused;
    int i = 0;
    do {
        pthread_mutex_lock(&mutex);
        advance();
        pthread_mutex_unlock(&mutex);
    } while (++i < 2);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(state == STOPPED);
    return 0;
}
