// expect: UNSAFE
// flags: -p no-data-race
// What is copied out of an atomic object is not put down atomically.
#include <pthread.h>
typedef struct { long a, b, c; } Three;
static Three from, to;
static void *reader(void *unused) {
    __atomic_load(&from, &to, __ATOMIC_SEQ_CST);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    long seen = to.c;
    pthread_join(t, 0);
    return seen != 0;
}
