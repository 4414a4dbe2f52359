// expect: UNSAFE assertion n == 2 fails
/* A lost update. The function that nobody defines gets a text and a number, and can get at nothing. */
#include <assert.h>
#include <pthread.h>

void log_msg(const char *format, ...);
static int n;

static void *work(void *a) {
    n++;
    log_msg("n is now %d", n);
    return a;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
    return 0;
}
