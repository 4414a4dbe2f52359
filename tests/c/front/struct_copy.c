// expect: UNSAFE
/* Copying a struct is not atomic: the copy may be half old, half new. */
#include <assert.h>
#include <pthread.h>

typedef struct Point {
    int x, y;
} Point;
static Point shared = {1, 1};

static void *writer(void *unused) {
    (void)unused;
    Point moved = {2, 2};
    shared = moved;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    Point seen = shared;
    assert(seen.x == seen.y);
    pthread_join(thread, NULL);
    return 0;
}
