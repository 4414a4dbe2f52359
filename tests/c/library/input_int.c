// expect: UNSAFE
/* One input in four thousand million, named in the program, makes the assertion fail. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int x, bad;

static void *worker(void *unused) {
    (void)unused;
    if (x == 123456) bad = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    x = __VERIFIER_nondet_int();
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(!bad);
    return 0;
}
