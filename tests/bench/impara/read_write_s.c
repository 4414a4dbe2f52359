// expect: SAFE
/* A lock for two readers and two writers: a reader sees one value all the time. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void abort(void);

static int writing, readers, data, seen;

static void *write_it(void *unused) {
    __VERIFIER_atomic_begin();
    if (writing || readers) abort();
    writing = 1;
    __VERIFIER_atomic_end();
    data = 7;
    writing = 0;
    return unused;
}

static void *read_it(void *unused) {
    int value;
    __VERIFIER_atomic_begin();
    if (writing) abort();
    readers++;
    __VERIFIER_atomic_end();
    value = data;
    seen = value;
    assert(seen == data);
    __VERIFIER_atomic_begin();
    readers--;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread[4];
    pthread_create(&thread[0], NULL, write_it, NULL);
    pthread_create(&thread[1], NULL, read_it, NULL);
    pthread_create(&thread[2], NULL, write_it, NULL);
    pthread_create(&thread[3], NULL, read_it, NULL);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
    return 0;
}
