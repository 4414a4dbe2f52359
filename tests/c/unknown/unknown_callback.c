// expect: UNKNOWN call of the unknown function at_some_time, which gets a pointer
/* A function that nobody knows may call what it is given. */
#include <assert.h>
#include <stddef.h>

extern int at_some_time(void (*what)(int, void *), void *argument);

static void handler(int status, void *argument) {
    (void)status, (void)argument;
    assert(0);
}

int main(void) {
    at_some_time(handler, NULL);
    return 0;
}
