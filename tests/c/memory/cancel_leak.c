// expect: UNSAFE
// flags: --property valid-memsafety
// What a thread allocated is lost when it is cancelled without a handler.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *worker(void *unused) {
    int *p = malloc(sizeof *p);
    usleep(10);
    free(p);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
