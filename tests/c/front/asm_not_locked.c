// expect: UNSAFE
/* Without the prefix, reading and writing are two steps. */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *worker(void *unused) {
    __asm__ volatile("incl %0" : "+m"(counter) : : "cc");
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(counter == 2);
    return 0;
}
