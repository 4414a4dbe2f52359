// broken: no-data-race
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;
static int n;

static void *add(void *a) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    int failed = a ? sem_trywait(&s) : sem_timedwait(&s, &until);
#ifdef BROKEN
    n++;
#else
    if (!failed) n++;
#endif
    if (!failed) sem_post(&s);
    return a;
}

int main(void) {
    pthread_t t[2];
    sem_init(&s, 0, 1);
    pthread_create(&t[0], NULL, add, NULL);
    pthread_create(&t[1], NULL, add, &s);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return 0;
}
