// expect: UNKNOWN a handler for SIGABRT
// abort calls it.
#include <assert.h>
#include <signal.h>
#include <stdlib.h>

static void handle(int number) { assert(!number); }

int main(void) {
    signal(SIGABRT, handle);
    abort();
}
