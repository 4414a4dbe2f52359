// expect: SAFE
// flags: --property valid-memsafety
// A handler frees what a cancelled thread allocated.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *worker(void *unused) {
    int *p = malloc(sizeof *p);
    pthread_cleanup_push(free, p);
    usleep(10);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
