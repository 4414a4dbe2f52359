// expect: UNSAFE
/* memcpy copies piece by piece; the other thread may write in between. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int source[2] = {1, 1};

static void *writer(void *unused) {
    (void)unused;
    source[0] = 2;
    source[1] = 2;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int copy[2];
    pthread_create(&thread, NULL, writer, NULL);
    memcpy(copy, source, sizeof copy);
    assert(!(copy[0] == 1 && copy[1] == 2));
    pthread_join(thread, NULL);
    return 0;
}
