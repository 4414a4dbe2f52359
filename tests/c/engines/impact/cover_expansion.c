// expect: UNSAFE
// flags: -e impact --impact-por monotonic --impact-constants no --reduction no
/* Partial order reduction leaves out the reader where its step commutes with the last one of the writer; a node where it does not is
   covered by one where it does. Who then does not explore the reader at the covering node misses the error. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int value;

static void *writer(void *unused) {
    if (!__VERIFIER_nondet_int()) value = 1;
    value = 0;
    return unused;
}

static void *reader(void *unused) {
    assert(value == 0);
    return unused;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
