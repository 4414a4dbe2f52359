// expect: SAFE
/* A sequence lock. The writer makes the sequence odd while it changes the pair; a reader that saw an odd or a changed
   sequence reads again. So every reader gets two halves that belong together. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int low, high;

static void *writer(void *unused) {
    (void)unused;
    for (int i = 1; i <= 2; i++) {
        sequence++;
        low = i;
        high = -i;
        sequence++;
    }
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    unsigned before;
    int a, b;
    do {
        before = sequence;
        a = low;
        b = high;
    } while (before % 2 == 1 || sequence != before);
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
