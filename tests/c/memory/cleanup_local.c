// expect: SAFE
// flags: --property valid-memsafety
// Handlers run while the locals of the function that pushed them live; memory is freed once.
#include <pthread.h>
#include <stdlib.h>

struct buffer {
    int *data;
};
static void release(void *argument) {
    struct buffer *b = argument;
    free(b->data);
}
static void *work(void *argument) {
    struct buffer b = {malloc(sizeof(int))};
    if (!b.data) return argument;
    pthread_cleanup_push(release, &b);
    *b.data = 1;
    pthread_exit(argument);
    pthread_cleanup_pop(1);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
