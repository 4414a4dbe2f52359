// expect: UNKNOWN mystery
/* The result of a function that nobody knows may be anything: that the assertion can fail is then not known. */
#include <assert.h>
#include <pthread.h>

extern int mystery(int x);

static int x;

static void *worker(void *unused) {
    (void)unused;
    x = mystery(x);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(x != 17);
    return 0;
}
