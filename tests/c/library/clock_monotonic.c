// expect: SAFE
// CLOCK_MONOTONIC never runs backwards, whoever looks.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static int later(struct timespec a, struct timespec b) {
    return b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec);
}

static struct timespec begin;

static void *look(void *unused) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(later(begin, now));
    return unused;
}

int main(void) {
    pthread_t thread;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pthread_create(&thread, NULL, look, NULL);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(later(begin, now));
    assert(now.tv_nsec >= 0 && now.tv_nsec < 1000000000);
    pthread_join(thread, NULL);
    return 0;
}
