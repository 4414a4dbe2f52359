// A function of the C library reads memory that was freed.
// broken: valid-memsafety
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *text;

static void *drop(void *a) {
    pthread_mutex_lock(&lock);
    free(text);
#ifndef BROKEN
    text = NULL;
#endif
    pthread_mutex_unlock(&lock);
    return a;
}

int main(void) {
    pthread_t t;
    size_t n = 0;
    text = strdup("some text");
    pthread_create(&t, NULL, drop, NULL);
    pthread_mutex_lock(&lock);
    if (text) n = strlen(text);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return n == 7;
}
