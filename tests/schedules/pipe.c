// A thread waits for a pipe while another one has still to write into it.
// broken: unreach-call
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], early;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *a) {
    char c = 0;
    assert(read(ends[0], &c, 1) == 1);
    pthread_mutex_lock(&lock);
#ifdef BROKEN
    assert(early);
#endif
    pthread_mutex_unlock(&lock);
    assert(c == 'x');
    return a;
}

int main(void) {
    pthread_t t;
    if (pipe(ends)) return 1;
    pthread_create(&t, NULL, work, NULL);
    if (write(ends[1], "x", 1) != 1) return 1;
    pthread_mutex_lock(&lock);
    early = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
