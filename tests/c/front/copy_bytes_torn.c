// expect: UNSAFE
/* A struct of bytes is copied byte by byte, though the program has a struct of that size with an int in it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct mixed {
    int x;
    char c;
} mixed;
struct bytes {
    char b[8];
};
static char *from, *to;

static void *copier(void *argument) {
    *(struct bytes *)to = *(struct bytes *)from;
    return argument;
}

int main(void) {
    mixed.x = 1;
    from = calloc(8, 1), to = calloc(8, 1);
    if (!from || !to) return 0;
    from[0] = from[1] = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, copier, NULL);
    char second = to[1], first = to[0], third = to[1];
    assert(first == 0 || second == 1 || third == 1);
    pthread_join(thread, NULL);
    return 0;
}
