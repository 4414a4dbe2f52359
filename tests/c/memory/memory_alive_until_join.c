// expect: SAFE
// flags: -p valid-memsafety
#include <pthread.h>
static void *writer(void *place) {
    *(int *)place = 1;
    return 0;
}
static void run(void) {
    pthread_t t;
    int local = 0;
    pthread_create(&t, 0, writer, &local);
    pthread_join(t, 0);
}
int main(void) {
    run();
    run();
}
