// expect: SAFE
/* What the semaphore calls return: the value, and EAGAIN when there is nothing to take. errno is each thread's own. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;

static void *worker(void *unused) {
    (void)unused;
    errno = 0;
    assert(sem_wait(&tokens) == 0);
    assert(errno == 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int value;
    assert(sem_init(&tokens, 0, 1) == 0);
    assert(sem_trywait(&tokens) == 0);
    pthread_create(&thread, NULL, worker, NULL);
    assert(sem_trywait(&tokens) == -1);
    assert(errno == EAGAIN);
    assert(sem_post(&tokens) == 0);
    pthread_join(thread, NULL);
    assert(sem_getvalue(&tokens, &value) == 0 && value == 0);
    assert(sem_destroy(&tokens) == 0);
    return 0;
}
