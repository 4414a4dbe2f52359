// expect: UNSAFE
/* A readers-writer lock of a counter and a bit, 1 reader, 1 writer. The reader looks whether somebody writes, and then says that it reads: between these the
   writer may begin. */
#include <assert.h>
#include <pthread.h>

enum { READERS = 1, WRITERS = 1 };
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int writing, reading, data, copy;

static void *writer(void *unused) {
    (void)unused;
    for (;;) {
        __VERIFIER_atomic_begin();
        int free = !writing && !reading;
        if (free) writing = 1;
        __VERIFIER_atomic_end();
        if (!free) continue;
        assert(reading == 0);
        data = 3;
        writing = 0;
    }
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    for (;;) {
        if (writing) continue;
        __VERIFIER_atomic_begin();
        reading++;
        __VERIFIER_atomic_end();
        copy = data;
        assert(copy == data);
        assert(writing == 0);
        __VERIFIER_atomic_begin();
        reading--;
        __VERIFIER_atomic_end();
    }
    return NULL;
}

int main(void) {
    pthread_t id[READERS + WRITERS];
    for (int i = 0; i < WRITERS; i++) pthread_create(&id[i], NULL, writer, NULL);
    for (int i = 0; i < READERS; i++) pthread_create(&id[WRITERS + i], NULL, reader, NULL);
    for (int i = 0; i < READERS + WRITERS; i++) pthread_join(id[i], NULL);
    return 0;
}
