// expect: UNSAFE data race
// flags: --property no-data-race
// The address leaves the thread in an integer, which holds it on one way only.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static uintptr_t global;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
    int *p = malloc(sizeof *p);
    uintptr_t u = (uintptr_t)p;
    if (argument) u = 0;
    pthread_mutex_lock(&m);
    global = u;
    pthread_mutex_unlock(&m);
    *p = 2;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&m);
    int *s = (int *)global;
    pthread_mutex_unlock(&m);
    if (s) *s = 1;
    pthread_join(t, NULL);
    return 0;
}
