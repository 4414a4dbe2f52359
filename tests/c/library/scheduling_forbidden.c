// expect: UNSAFE assertion !error fails
// The system may forbid another policy.
#include <assert.h>
#include <pthread.h>
#include <sched.h>

int main(void) {
    struct sched_param parameter = {.sched_priority = 1};
    int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter);
    assert(!error);
    return 0;
}
