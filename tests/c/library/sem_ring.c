// expect: SAFE
/* A ring buffer guarded by two semaphores: one counts the free places, one the filled ones. */
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
        ring[i % ROOM] = i * i;
        sem_post(&filled);
    }
    return NULL;
}

static void *consumer(void *unused) {
    (void)unused;
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&filled);
        assert(ring[i % ROOM] == i * i);
        sem_post(&empty);
    }
    return NULL;
}

int main(void) {
    pthread_t p, c;
    sem_init(&empty, 0, ROOM);
    sem_init(&filled, 0, 0);
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
