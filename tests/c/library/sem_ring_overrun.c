// expect: UNSAFE
/* The ring buffer with one place too many promised: the producer overtakes the consumer. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { ROOM = 2, ITEMS = 4 };
static sem_t empty, filled;
static int ring[ROOM];

static void *producer(void *unused) {
    (void)unused;
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&empty);
        ring[i % ROOM] = i;
        sem_post(&filled);
    }
    return NULL;
}

int main(void) {
    pthread_t p;
    sem_init(&empty, 0, ROOM + 1);
    sem_init(&filled, 0, 0);
    pthread_create(&p, NULL, producer, NULL);
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&filled);
        assert(ring[i % ROOM] == i);
        sem_post(&empty);
    }
    pthread_join(p, NULL);
    return 0;
}
