// expect: SAFE as under sequential consistency, however many stores are delayed
// flags: --memory-model tso
// The sensor never waits and nothing empties its store buffer: any number of stores may wait. Nobody can notice that.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

unsigned measured;
int stop;

void *sensor(void *p) {
    unsigned n = 0;
    while (!stop) {
        if (n < 1000000000) n++;
        measured = n;
    }
    return p;
}
void *reader(void *p) {
    int ends = 0;
    while (!ends) {
        unsigned first = measured, second = measured;
        assert(first <= second);
        if (__VERIFIER_nondet_bool()) {
            ends = 1;
            stop = 1;
        }
    }
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
