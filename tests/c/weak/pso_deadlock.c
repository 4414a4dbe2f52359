// expect: UNSAFE wait for each other
// flags: --memory-model pso -p no-deadlock
// One takes them in the other order: a deadlock under sequential consistency is one.
#include <pthread.h>

pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
int turn, data;

void *first(void *p) {
    while (turn) {}
    data = 1;
    turn = 1;
    pthread_mutex_lock(&l);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&l);
    return p;
}
void *second(void *p) {
    while (!turn) {}
    int d = data;
    turn = 0;
    pthread_mutex_lock(&m);
    if (d) pthread_mutex_lock(&l);
    if (d) pthread_mutex_unlock(&l);
    pthread_mutex_unlock(&m);
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
