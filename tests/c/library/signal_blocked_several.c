// expect: UNKNOWN several pending signals that one call unblocks
#include <assert.h>
#include <signal.h>

static int last;
static void handle(int number) { last = number; }

int main(void) {
    sigset_t set;
    signal(SIGUSR1, handle);
    signal(SIGUSR2, handle);
    sigfillset(&set);
    sigprocmask(SIG_BLOCK, &set, 0);
    raise(SIGUSR1);
    raise(SIGUSR2);
    sigprocmask(SIG_UNBLOCK, &set, 0);
    assert(last == SIGUSR2);
    return 0;
}
