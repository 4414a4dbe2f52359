// expect: SAFE no thread can observe one [H1107]
// flags: --memory-model tso -p no-deadlock
// Two locks are taken in one order; before that stores wait, but nobody notices.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
int measured, stop;

void both(void) {
    pthread_mutex_lock(&l);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&l);
}
void *sensor(void *p) {
    while (!stop) measured = !measured;
    both();
    return p;
}
void *reader(void *p) {
    int ends = 0;
    while (!ends) {
        int now = measured;
        if (!now && __VERIFIER_nondet_bool()) {
            ends = 1;
            stop = 1;
        }
    }
    both();
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, sensor, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
