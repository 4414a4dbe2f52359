// expect: SAFE
// flags: --property no-deadlock
// A request ends the wait for a semaphore that nobody posts; the handler runs, and what thread-specific data is for.
#include <pthread.h>
#include <semaphore.h>

static sem_t never, handled;
static pthread_key_t key;

static void post(void *argument) { sem_post(argument); }
static void *worker(void *unused) {
    pthread_setspecific(key, &handled);
    pthread_cleanup_push(post, &handled);
    sem_wait(&never);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    sem_init(&handled, 0, 0);
    pthread_key_create(&key, post);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    sem_wait(&handled);
    sem_wait(&handled);
    return 0;
}
