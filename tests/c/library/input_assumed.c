// expect: UNSAFE
/* Assumptions restrict the inputs; the boundary is still bad. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void assume_abort_if_not(int condition) {
    if (!condition) abort();
}

static unsigned char size;
static int filled;

static void *fill(void *unused) {
    (void)unused;
    for (int i = 0; i <= size; i++) filled++;
    return NULL;
}

int main(void) {
    pthread_t thread;
    size = __VERIFIER_nondet_uchar();
    assume_abort_if_not(size <= 4);
    pthread_create(&thread, NULL, fill, NULL);
    pthread_join(thread, NULL);
    assert(filled <= 4);
    return 0;
}
