// expect: SAFE
// A pending signal is forgotten when the program ignores it.
#include <assert.h>
#include <signal.h>

static void handle(int number) { assert(!number); }

int main(void) {
    sigset_t set;
    signal(SIGUSR1, handle);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    raise(SIGUSR1);
    signal(SIGUSR1, SIG_IGN);
    signal(SIGUSR1, handle);
    sigprocmask(SIG_UNBLOCK, &set, 0);
    return 0;
}
