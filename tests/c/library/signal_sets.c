// expect: SAFE
// Handlers, sets and masks of signals; a signal without a handler ends the process.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t n;

static void handle(int number) { n += number; }

int main(void) {
    struct sigaction action, old;
    sigset_t set;
    action.sa_handler = handle;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    assert(sigaction(SIGUSR1, &action, 0) == 0);
    assert(sigaction(SIGUSR1, 0, &old) == 0 && old.sa_handler == handle);
    assert(sigaction(SIGKILL, &action, 0) == -1);
    assert(sigaddset(&action.sa_mask, 1000) == -1);
    raise(SIGUSR1);
    assert(n == SIGUSR1);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    assert(sigismember(&set, SIGUSR2) == 1 && sigismember(&set, SIGUSR1) == 0);
    assert(pthread_sigmask(SIG_BLOCK, &set, 0) == 0);
    signal(SIGINT, SIG_IGN);
    raise(SIGINT);
    raise(SIGTERM);
    assert(0);
    return 0;
}
