// expect: SAFE
/* A queue for one producer and one consumer, without locks: each index has one writer. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { ROOM = 2, ITEMS = 3 };
static int ring[ROOM];
static atomic_uint head, tail;

static bool put(int item) {
    unsigned t = tail;
    if (t - head == ROOM) return false;
    ring[t % ROOM] = item;
    tail = t + 1;
    return true;
}

static bool get(int *item) {
    unsigned h = head;
    if (h == tail) return false;
    *item = ring[h % ROOM];
    head = h + 1;
    return true;
}

static void *producer(void *unused) {
    (void)unused;
    for (int i = 1; i <= ITEMS; i++)
        while (!put(i)) {
        }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    for (int i = 1; i <= ITEMS; i++) {
        int item;
        while (!get(&item)) {
        }
        assert(item == i);
    }
    pthread_join(thread, NULL);
    return 0;
}
