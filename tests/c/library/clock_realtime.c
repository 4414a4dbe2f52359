// expect: UNSAFE
// CLOCK_REALTIME may be set back, and CLOCK_MONOTONIC may show the same time twice.
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec a, b, c;
    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_gettime(CLOCK_MONOTONIC, &b);
    if (a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec) {
        clock_gettime(CLOCK_REALTIME, &a);
        clock_gettime(CLOCK_REALTIME, &c);
        assert(c.tv_sec >= a.tv_sec);
    }
    return 0;
}
