// expect: UNSAFE
/* The queue with the index published before the item is written. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int ring[2];
static atomic_uint head, tail;

static void *producer(void *unused) {
    (void)unused;
    for (int i = 1; i <= 2; i++) {
        unsigned t = tail;
        tail = t + 1;
        ring[t % 2] = i;
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    for (int i = 1; i <= 2; i++) {
        while (head == tail) {
        }
        assert(ring[head % 2] == i);
        head++;
    }
    pthread_join(thread, NULL);
    return 0;
}
