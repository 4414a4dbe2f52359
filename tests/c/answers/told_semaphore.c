// expect: UNSAFE thread 2 (one) waits at told_semaphore.c:12 for a post of the semaphore s
// flags: -p no-deadlock -e explicit
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;

static void *one(void *unused) {
    (void)unused;
    pthread_mutex_lock(&a);
    sem_wait(&s);
    pthread_mutex_unlock(&a);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, one, NULL);
    pthread_mutex_lock(&a);
    sem_post(&s);
    pthread_mutex_unlock(&a);
    pthread_join(t, NULL);
    return 0;
}
