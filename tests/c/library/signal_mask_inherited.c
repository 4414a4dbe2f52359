// expect: SAFE
// A new thread blocks what its maker blocks, and what was sent to its maker is not pending in it.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void handle(int number) { assert(!number); }

static void *worker(void *unused) {
    sigset_t set;
    sigpending(&set);
    assert(!sigismember(&set, SIGUSR1));
    pthread_sigmask(SIG_BLOCK, 0, &set);
    assert(sigismember(&set, SIGUSR1));
    raise(SIGUSR1);
    return unused;
}

int main(void) {
    sigset_t set;
    pthread_t t;
    signal(SIGUSR1, handle);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    raise(SIGUSR1);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
