// broken: no-data-race
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int n;

static void *add(void *a) {
    sem_wait(&s);
    n++;
    sem_post(&s);
    return a;
}

int main(void) {
    pthread_t t[2];
#ifdef BROKEN
    sem_init(&s, 0, 2);
#else
    sem_init(&s, 0, 1);
#endif
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return 0;
}
