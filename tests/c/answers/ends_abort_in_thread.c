// expect: UNSAFE assertion !ready fails
// A thread ends the process right after an atomic store; main may look before that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int ready;

void *give_up(void *argument) {
    atomic_store(&ready, 1);
    abort();
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, give_up, NULL);
    assert(!ready);
    return 0;
}
