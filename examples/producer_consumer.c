// expect: SAFE
/* A bounded buffer with two condition variables. The waits are loops, as they must be: a wait may end without a signal. */
#include <assert.h>
#include <pthread.h>

enum { ROOM = 2, ITEMS = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[ROOM], head, count;

static void put(int item) {
    pthread_mutex_lock(&mutex);
    while (count == ROOM) pthread_cond_wait(&not_full, &mutex);
    buffer[(head + count) % ROOM] = item;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
}

static int get(void) {
    pthread_mutex_lock(&mutex);
    while (count == 0) pthread_cond_wait(&not_empty, &mutex);
    int item = buffer[head];
    head = (head + 1) % ROOM;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
    return item;
}

static void *producer(void *unused) {
    (void)unused;
    for (int i = 1; i <= ITEMS; i++) put(i);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    for (int i = 1; i <= ITEMS; i++) {
        int item = get();
        assert(item == i);
    }
    pthread_join(thread, NULL);
    assert(count == 0);
    return 0;
}
