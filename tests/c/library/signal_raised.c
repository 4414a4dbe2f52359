// expect: UNSAFE
// A handler runs when its signal is raised.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t n;

static void handle(int number) { n = number; }

int main(void) {
    signal(SIGTERM, handle);
    raise(SIGTERM);
    assert(n != SIGTERM);
    return 0;
}
