// flags: -p no-data-race
// expect: UNKNOWN races with line
// sem_getvalue does not synchronise: the value 1 does not order the read of x after its write.
#include <pthread.h>
#include <semaphore.h>
int x;
sem_t s;
static void *post(void *u) { (void)u; x = 1; sem_post(&s); return 0; }
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, post, 0);
    int v, r = 0;
    sem_getvalue(&s, &v);
    if (v == 1) r = x;
    pthread_join(t, 0);
    return r;
}
