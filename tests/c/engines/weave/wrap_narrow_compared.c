// expect: UNSAFE
// flags: -e weave
/* A byte wraps around to 0, and the other number is 256: congruent, but not the same. */
#include <assert.h>
#include <pthread.h>

static unsigned char narrow = 255;
static unsigned wide = 255;

static void *worker(void *unused) {
    (void)unused;
    narrow++;
    wide = 256;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(narrow == wide);
    return 0;
}
