// expect: UNSAFE
// A local that another thread knows is written step by step: both threads may read the old number.
#include <assert.h>
#include <pthread.h>

static void *add(void *number) {
    ++*(int *)number;
    return NULL;
}

int main(void) {
    int number = 0;
    pthread_t other;
    pthread_create(&other, NULL, add, &number);
    number++;
    pthread_join(other, NULL);
    assert(number == 2);
    return 0;
}
