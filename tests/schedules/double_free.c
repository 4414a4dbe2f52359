// broken: valid-memsafety no-data-race
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *text;

static void *drop(void *a) {
#ifdef BROKEN
    if (text) free(text);
    text = NULL;
#else
    pthread_mutex_lock(&lock);
    free(text);
    text = NULL;
    pthread_mutex_unlock(&lock);
#endif
    return a;
}

int main(void) {
    pthread_t t[2];
    text = malloc(10);
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, drop, NULL);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return 0;
}
