// expect: SAFE
// flags: --property no-data-race
// What library functions keep for themselves they look at and change without races.
#include <pthread.h>
#include <unistd.h>

static void *worker(void *unused) {
    getpid();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    getpid();
    pthread_join(thread, NULL);
    return 0;
}
