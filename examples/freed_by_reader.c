// expect: SAFE
/* The message of freed_too_early.c belongs to the thread that gets it: who reads it last frees it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct Message {
    int number;
} Message;

static void *reader(void *argument) {
    Message *message = argument;
    assert(message->number == 7);
    free(message);
    return NULL;
}

int main(void) {
    Message *message = malloc(sizeof *message);
    message->number = 7;
    pthread_t thread;
    pthread_create(&thread, NULL, reader, message);
    pthread_join(thread, NULL);
    return 0;
}
