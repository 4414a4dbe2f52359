// expect: UNKNOWN
// flags: --timeout 4
// Locals of two threads that live have different addresses. That a thread was joined before must not make an error of it.
#include <assert.h>
#include <pthread.h>

int *first, *second;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *nothing(void *argument) { return NULL; }

void *show_first(void *argument) {
    int local = 1;
    first = &local;
    while (local) {}
    return NULL;
}

void *show_second(void *argument) {
    int local = 2;
    second = &local;
    while (local) {}
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, show_first, NULL);
    pthread_create(&thread, NULL, show_second, NULL);
    int *a = first, *b = second;
    if (a && b) assert(a != b);
    return 0;
}
