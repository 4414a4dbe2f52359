// expect: UNSAFE initialises s with 2, starts thread 2 (one), takes s: 2 → 1, finds t = 0, posts s: 1 → 2
// flags: -e explicit
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s, t;
static void *one(void *unused) {
    (void)unused;
    sem_trywait(&s);
    return NULL;
}

int main(void) {
    pthread_t x;
    // clang-format off
    sem_init(&s, 0, 2), pthread_create(&x, NULL, one, NULL), sem_wait(&s), sem_trywait(&t), sem_post(&s);
    // clang-format on
    assert(0);
}
