// expect: UNKNOWN raise of a signal that is blocked
// It stays pending: that is not modelled.
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
    return 0;
}
