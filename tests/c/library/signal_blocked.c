// expect: SAFE
// A blocked signal stays pending. The call that unblocks it runs its handler.
#include <assert.h>
#include <signal.h>

static int handled;
static void handle(int number) { handled = number; }

int main(void) {
    sigset_t set, waiting;
    signal(SIGUSR1, handle);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGKILL);
    sigprocmask(SIG_BLOCK, &set, 0);
    raise(SIGUSR1);
    assert(handled == 0);
    sigpending(&waiting);
    assert(sigismember(&waiting, SIGUSR1) && !sigismember(&waiting, SIGUSR2));
    sigprocmask(SIG_UNBLOCK, &set, &set);
    assert(handled == SIGUSR1);
    assert(sigismember(&set, SIGUSR1) && !sigismember(&set, SIGKILL));
    return 0;
}
