// expect: SAFE
/* Variables, fields and array elements that are always written before they are read, though no simple analysis sees it. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static long box;

static bool take(long *into) {
    bool found = false;
    pthread_mutex_lock(&mutex);
    if (ready) {
        *into = box;
        found = true;
    }
    pthread_mutex_unlock(&mutex);
    return found;
}

static void *giver(void *unused) {
    pthread_mutex_lock(&mutex);
    box = 1234567;
    ready = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

typedef struct Message {
    char kind;
    int number;
    long detail;
} Message;

static Message queue[2];

static void put(Message m, unsigned at) { queue[at] = m; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, giver, NULL);
    long value;
    int squares[4], last;
    for (int i = 0; i < 4; i++) {
        squares[i] = i * i;
        if (i == 3) last = squares[i] + squares[i - 1];
    }
    while (!take(&value)) {
    }
    assert(value == 1234567 && last == 13);
    Message plain, detailed;
    plain.kind = 'p';
    detailed.kind = 'd';
    plain.number = 1;
    plain.detail = 0;
    detailed.number = 2;
    detailed.detail = 3;
    put(plain, 0);
    put(detailed, 1);
    for (int i = 0; i < 2; i++) {
        Message m = queue[i];
        if (m.kind == 'd') assert(m.number == 2 && m.detail == 3);
        else assert(m.number == 1);
    }
    pthread_join(thread, NULL);
    return 0;
}
