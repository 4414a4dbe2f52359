// expect: SAFE
/* Printing, sleeping and yielding have no effect on what the program computes. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *name) {
    printf("%s starts\n", (char *)name);
    pthread_mutex_lock(&mutex);
    counter++;
    fprintf(stderr, "%s: %d\n", (char *)name, counter);
    pthread_mutex_unlock(&mutex);
    sched_yield();
    usleep(10);
    puts("done");
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, worker, "first");
    pthread_create(&second, NULL, worker, "second");
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    fflush(stdout);
    assert(counter == 2);
    return 0;
}
