// expect: UNSAFE waits in its store buffer
// flags: --memory-model tso
// Whoever has told the sensor to stop looks once more. What was measured before the sensor was told may be yet to arrive.
#include <assert.h>
#include <pthread.h>

unsigned measured, before, last;
int stop;

void *sensor(void *p) {
    for (unsigned n = 1; n < 1000000000; n++) {
        measured = n;
        if (stop) break;
        before = n;
    }
    return p;
}
void *reader(void *p) {
    stop = 1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    last = measured;
    return p;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, sensor, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(before <= last);
    return 0;
}
