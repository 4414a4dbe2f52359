// expect: UNSAFE unreach-call no-data-race
/* Two threads increment a counter without a lock. An increment is a read and a write; when the other thread's increment
   falls between them, it is lost. */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *increment(void *unused) {
    (void)unused;
    counter++;
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2);
    return 0;
}
