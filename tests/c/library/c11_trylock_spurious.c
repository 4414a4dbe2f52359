// expect: UNSAFE
/* mtx_trylock may fail although the mutex is free. */
#include <assert.h>
#include <threads.h>

int main(void) {
    mtx_t mutex;
    mtx_init(&mutex, mtx_plain);
    assert(mtx_trylock(&mutex) == thrd_success);
    return 0;
}
