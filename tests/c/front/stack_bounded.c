// expect: SAFE
/* A bounded stack under a lock: pushes and pops never leave its bounds. */
#include <assert.h>
#include <pthread.h>

enum { ROOM = 2 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int stack[ROOM], size;

static void *pusher(void *unused) {
    (void)unused;
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        assert(size >= 0 && size <= ROOM);
        if (size < ROOM) stack[size++] = i;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *popper(void *unused) {
    (void)unused;
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        if (size > 0) {
            int value = stack[--size];
            assert(value >= 0 && value < 3);
        }
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, pusher, NULL);
    pthread_create(&second, NULL, popper, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
