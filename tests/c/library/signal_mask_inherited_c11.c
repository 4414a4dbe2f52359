// expect: UNSAFE assertion handled fails
// The thread blocks the signal, since its maker did: the handler does not run.
#include <assert.h>
#include <signal.h>
#include <threads.h>

static int handled;
static void handle(int number) { handled = number; }

static int worker(void *unused) {
    (void)unused;
    return raise(SIGUSR1);
}

int main(void) {
    sigset_t set;
    thrd_t t;
    signal(SIGUSR1, handle);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    thrd_create(&t, worker, 0);
    thrd_join(t, 0);
    assert(handled);
    return 0;
}
