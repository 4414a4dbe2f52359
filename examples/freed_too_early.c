// expect: UNSAFE valid-memsafety no-data-race
/* main hands a message to a thread and frees it without waiting for the thread: that may still be reading it. */
#include <pthread.h>
#include <stdlib.h>

typedef struct Message {
    int number;
} Message;

static void *reader(void *argument) {
    Message *message = argument;
    int number = message->number;
    (void)number;
    return NULL;
}

int main(void) {
    Message *message = malloc(sizeof *message);
    message->number = 7;
    pthread_t thread;
    pthread_create(&thread, NULL, reader, message);
    free(message);
    pthread_join(thread, NULL);
    return 0;
}
