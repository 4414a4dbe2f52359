// expect: UNSAFE
/* A semaphore with two tokens lets two threads in. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;
static int counter;

static void *worker(void *unused) {
    (void)unused;
    sem_wait(&tokens);
    counter++;
    sem_post(&tokens);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    sem_init(&tokens, 0, 2);
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(counter == 3);
    return 0;
}
