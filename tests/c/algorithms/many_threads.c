// expect: UNSAFE
/* As many threads as the input says; with two of them the assertion can fail. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int counter;

static void *worker(void *unused) {
    (void)unused;
    counter++;
    counter--;
    assert(counter == 0);
    return NULL;
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        pthread_t thread;
        pthread_create(&thread, NULL, worker, NULL);
    }
    return 0;
}
