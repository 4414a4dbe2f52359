// expect: SAFE
/* As fig4_cex.c, with the fix: a request is marked as pending before it is made. */
#include <assert.h>
#include <pthread.h>

static int requested, pending, answered;

static void *device(void *unused) {
    (void)unused;
    while (!requested) {
    }
    pending = 0;
    answered = 1;
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    pending = 1;
    requested = 1; /* the request */
    while (!answered) {
    }
    assert(!pending);
    return NULL;
}

int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], NULL, device, NULL);
    pthread_create(&id[1], NULL, reader, NULL);
    pthread_join(id[0], NULL);
    pthread_join(id[1], NULL);
    return 0;
}
