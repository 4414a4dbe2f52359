// expect: UNSAFE
// flags: --property valid-memsafety
// A function of the program, whose name is like one of the library, joins the thread a second time.
#include <pthread.h>

static void *work(void *unused) { return unused; }

static void pthread_finish(pthread_t t) { pthread_join(t, NULL); }

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_finish(t);
    return 0;
}
