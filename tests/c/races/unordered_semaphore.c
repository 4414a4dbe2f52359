// expect: UNSAFE neither happens before the other
// flags: -p no-data-race
// The semaphore comes too late.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t done;
static atomic_int ready;
static int data;

static void *writer(void *unused) {
    (void)unused;
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, writer, NULL);
    sem_trywait(&done);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) data++;
    pthread_join(t, NULL);
    return 0;
}
