// expect: UNSAFE x.b
// flags: -p no-data-race
/* A struct is copied field by field: only the second one races. */
#include <pthread.h>

static struct pair { int a, b; } x, copy;

static void *writer(void *argument) {
    x.b = 3;
    return argument;
}

int main(void) {
    pthread_t t;
    x.a = 1;
    pthread_create(&t, NULL, writer, NULL);
    copy = x;
    pthread_join(t, NULL);
    return copy.b;
}
