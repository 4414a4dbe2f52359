// expect: SAFE
// flags: -e explicit
// Whatever the clock shows, the thread has set the flag when main sees it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int ready;
static int n;

static void *work(void *argument) {
    n = 1;
    ready = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    time_t start, now;
    double passed = 0, limit = 1;
    pthread_create(&thread, 0, work, 0);
    time(&start);
    while (passed < limit && !ready) {
        time(&now);
        passed = difftime(now, start);
    }
    if (ready) assert(n == 1);
    return 0;
}
