// expect: SAFE
/* A struct with padding and a pointer, copied through pointers under a lock; the mutex has parts of the same size. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    char tag;
    int value;
    void *self;
} *to, *from;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *copier(void *argument) {
    pthread_mutex_lock(&mutex);
    *to = *from;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    to = calloc(1, sizeof *to), from = malloc(sizeof *from);
    if (!to || !from) return 0;
    from->tag = 1, from->value = 1, from->self = from;
    pthread_t thread;
    pthread_create(&thread, NULL, copier, NULL);
    pthread_mutex_lock(&mutex);
    assert(to->tag == to->value && (to->self == NULL || to->self == from));
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
