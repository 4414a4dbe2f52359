// expect: UNSAFE
// flags: -e weave
/* A byte wraps around to 150; of that the remainder by 100 is taken, which is not congruent to it modulo 256. */
#include <assert.h>
#include <pthread.h>

static unsigned char byte = 200, more;

static void *worker(void *unused) {
    (void)unused;
    byte += more;
    byte %= 100;
    return NULL;
}

int main(void) {
    pthread_t thread;
    more = 206;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(byte != 50);
    return 0;
}
