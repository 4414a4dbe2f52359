// expect: UNSAFE assertion shown == &own fails
// flags: --engine redcomp
// Each thread has a thread-local variable of its own, at an address of its own.
#include <assert.h>
#include <pthread.h>

_Thread_local int own;
int *shown;

void *look(void *argument) {
    assert(shown == &own);
    return NULL;
}

int main(void) {
    pthread_t thread;
    shown = &own;
    pthread_create(&thread, NULL, look, NULL);
    pthread_join(thread, NULL);
    return 0;
}
