// expect: UNSAFE
/* mtx_trylock may find the mutex busy. */
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t mutex;
static int counter;

static int worker(void *unused) {
    (void)unused;
    if (mtx_trylock(&mutex) != thrd_busy) {
        counter++;
        mtx_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    thrd_t threads[2];
    mtx_init(&mutex, mtx_plain);
    for (int i = 0; i < 2; i++) thrd_create(&threads[i], worker, NULL);
    for (int i = 0; i < 2; i++) thrd_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
