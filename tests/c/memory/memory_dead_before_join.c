// expect: UNSAFE
// flags: -p valid-memsafety
// The thread may run between the end of a local's life and the join that waits for it.
#include <pthread.h>
static void *writer(void *place) {
    *(int *)place = 1;
    return 0;
}
static void start(pthread_t *t) {
    int local = 0;
    pthread_create(t, 0, writer, &local);
}
int main(void) {
    pthread_t t;
    start(&t);
    pthread_join(t, 0);
}
