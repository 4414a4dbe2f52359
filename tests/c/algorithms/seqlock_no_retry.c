// expect: UNSAFE
/* A reader of a sequence lock that looks at the sequence only before it reads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int low, high;

static void *writer(void *unused) {
    (void)unused;
    sequence++;
    low = 1;
    high = -1;
    sequence++;
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    while (sequence % 2 == 1) {
    }
    int a = low, b = high;
    assert(a + b == 0);
    return NULL;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
